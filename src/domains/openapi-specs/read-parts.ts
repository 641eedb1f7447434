import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { PartView } from '../../content-engine/openapi/index.ts';
import type { Database } from '../../platform/database/connection.ts';
import { findParts, type WantedPart } from './part-store.ts';

const decompress = promisify(gunzip);

export interface ReadPart {
  readonly slug: string;
  /** Undefined: the specification has no such part (any more). */
  readonly view: PartView | undefined;
  /** Characters of its JSON. */
  readonly size: number;
}

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
