import type { ReadPart, WantedFile, WantedPart } from '../../content-engine/evaluation/index.ts';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { PartView } from '../../content-engine/openapi/index.ts';
import type { Database } from '../../platform/database/connection.ts';
import { readFileParts, type ReadContext, type SpecificationFile } from './file-parts.ts';
import { findParts } from './part-store.ts';

const decompress = promisify(gunzip);

/** Undefined: there is no such file, or it may not be read. */
export type FileOf = (wanted: WantedFile) => Promise<SpecificationFile | undefined>;

/** The parts that a page shows, in the order of `wanted`. Undefined: there is no such specification. */
export async function readParts(
  ctx: ReadContext,
  organizationId: string,
  wanted: readonly WantedPart[],
  fileOf: FileOf,
): Promise<(ReadPart | undefined)[]> {
  const ofFiles = new Map<string, { readonly spec: WantedFile; readonly parts: WantedPart[] }>();
  const ofSpecs: WantedPart[] = [];
  for (const part of wanted) {
    const { spec } = part;
    if (!('file' in spec)) {
      ofSpecs.push(part);
      continue;
    }
    const key = JSON.stringify([spec.space, spec.file]);
    const found = ofFiles.get(key) ?? { spec, parts: [] };
    found.parts.push(part);
    ofFiles.set(key, found);
  }
  const read = new Map<WantedPart, ReadPart | undefined>();
  for (const { spec, parts } of ofFiles.values()) {
    const file = await fileOf(spec);
    const found = file ? await readFileParts(ctx, file, parts) : [];
    for (const [index, part] of parts.entries()) read.set(part, found[index]);
  }
  const found = ofSpecs.length > 0 ? await readSpecParts(ctx.db, organizationId, ofSpecs) : [];
  for (const [index, part] of ofSpecs.entries()) read.set(part, found[index]);
  return wanted.map((part) => read.get(part));
}

/** The same, of specifications of the organization only. */
export async function readSpecParts(
  db: Database,
  organizationId: string,
  wanted: readonly WantedPart[],
): Promise<(ReadPart | undefined)[]> {
  const read: (ReadPart | undefined)[] = wanted.map(() => undefined);
  const stored = await findParts(db, organizationId, wanted);
  await Promise.all(
    stored.map(async ({ index, slug, view }) => {
      const json = view === null ? undefined : (await decompress(view)).toString();
      read[index] = {
        slug,
        view: json === undefined ? undefined : (JSON.parse(json) as PartView),
        size: json?.length ?? 0,
      };
    }),
  );
  return read;
}
