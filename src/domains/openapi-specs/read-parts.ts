import type { ReadPart, WantedPart } from '../../content-engine/evaluation/index.ts';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { PartView } from '../../content-engine/openapi/index.ts';
import type { Database } from '../../platform/database/connection.ts';
import { findParts } from './part-store.ts';

const decompress = promisify(gunzip);

/** The parts that a page shows, in the order of `wanted`. Undefined: the organization has no such specification. */
export async function readParts(
  db: Database,
  organizationId: string,
  wanted: readonly WantedPart[],
): Promise<(ReadPart | undefined)[]> {
  if (wanted.length === 0) return [];
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
