import type { Conflict } from '../../../content-engine/merge/index.ts';
import { fieldOfMember, isPage, type ContentRecord, type Tree } from '../../../content-engine/tree/index.ts';
import type { Context } from '../../../platform/api/context.ts';
import { documentIdOf, downloadPath } from '../../revisions/index.ts';
import type { ConflictRow } from './store.ts';

/** `tree`: of the proposed revision, which has the conflict. */
export function presentConflict(ctx: Context, spaceId: string, tree: Tree, { id, conflict }: ConflictRow) {
  const { ancestor, primary, proposed, ...rest } = conflict;
  const record = tree.records.get(conflict.entry);
  const version = (value: unknown) => presentVersion(ctx, spaceId, conflict, value);
  return {
    object: 'change-request-conflict' as const,
    id,
    ...rest,
    ...(rest.kind === 'field' && isPage(record) ? { field: fieldOfMember(rest.field) ?? rest.field } : {}),
    page: isPage(record) ? conflict.entry : undefined,
    ancestor: version(ancestor),
    primary: version(primary),
    proposed: version(proposed),
  };
}

/** Texts, values and positions are unchanged; entries and files are presented as in the rest of the API. */
function presentVersion(ctx: Context, spaceId: string, conflict: Conflict, value: unknown): unknown {
  if (value === undefined) return undefined;
  const isEntry = conflict.kind === 'delete' || (conflict.kind === 'field' && conflict.field === 'record');
  if (isEntry) return presentEntry(ctx, spaceId, value as ContentRecord);
  if (conflict.kind === 'field' && conflict.field === 'content') {
    const { hash: _hash, ...described } = value as Record<string, unknown>;
    return described;
  }
  return value;
}

function presentEntry({ keys, addresses }: Context, spaceId: string, record: ContentRecord): object {
  switch (record.kind) {
    case 'page': {
      const { id, type, title, createdAt, updatedAt } = record;
      const document = 'document' in record ? documentIdOf(keys, spaceId, record.document) : undefined;
      return {
        id,
        type,
        title,
        documentId: document,
        createdAt: at(createdAt),
        updatedAt: at(updatedAt),
      };
    }
    case 'file': {
      const { id, name, contentType, size } = record;
      return { id, name, contentType, size, downloadURL: addresses.of(downloadPath(keys, spaceId, record)) };
    }
    case 'reusable-content': {
      const { id, title, document } = record;
      return { id, title, document: documentIdOf(keys, spaceId, document) };
    }
    default:
      return { id: record.id };
  }
}

const at = (time: number | undefined): string | undefined =>
  time === undefined ? undefined : new Date(time).toISOString();
