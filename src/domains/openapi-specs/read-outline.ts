import type { ApiOperation, ApiOutline } from '../../content-engine/openapi/index.ts';
import type { Database } from '../../platform/database/connection.ts';
import { findSpecBySlug, listParts, type PartSummary } from './part-store.ts';
import { readSpecParts } from './read-parts.ts';

/** What the latest version of a specification describes. Undefined: it does not exist, or has not been read yet. */
export async function readSpecOutline(
  db: Database,
  organizationId: string,
  slug: string,
): Promise<ApiOutline | undefined> {
  const spec = await findSpecBySlug(db, organizationId, slug);
  if (spec === undefined || spec.shown_version_id === null) return undefined;
  const [info] = await readSpecParts(db, organizationId, [{ spec: { slug }, kind: 'info', name: '' }]);
  const parts = await listParts(db, spec.id);
  const tags = info?.view?.kind === 'info' ? info.view.tags : [];
  return {
    tags: tags.map(({ pageDescription, ...tag }) => ({ ...tag, summary: pageDescription })),
    operations: parts.flatMap(readOperation),
    schemas: parts.flatMap(({ kind, name }) => (kind === 'schema' ? [name] : [])),
  };
}

function readOperation(part: PartSummary): ApiOperation[] {
  const { kind, name, operation_id: operationId, title, description, tags } = part;
  if (kind !== 'operation' && kind !== 'webhook') return [];
  const space = name.indexOf(' ');
  return [
    {
      kind,
      method: name.slice(0, space),
      path: name.slice(space + 1),
      operationId: operationId ?? undefined,
      title,
      description: description ?? undefined,
      tags,
    },
  ];
}
