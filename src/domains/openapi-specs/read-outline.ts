import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { outlineOf, type ApiOutline, type JsonObject } from '../../content-engine/openapi/index.ts';
import type { Database } from '../../platform/database/connection.ts';
import { findLatestDocument } from './store.ts';

/** What the latest version of a specification describes. Undefined: it does not exist, or has not been read yet. */
export async function readSpecOutline(
  db: Database,
  organizationId: string,
  slug: string,
): Promise<ApiOutline | undefined> {
  const compressed = await findLatestDocument(db, organizationId, slug);
  if (compressed === undefined) return undefined;
  const json = (await promisify(gunzip)(compressed)).toString('utf8');
  return outlineOf(JSON.parse(json) as JsonObject);
}
