import { isSame } from '../../map/index.ts';
import { findReusableContent } from '../lookup.ts';
import type { ReusableContentRecord } from '../records.ts';
import { cleanTitle, MAX_TITLE } from '../names/slug.ts';
import { compact, created, isRefusal, refuse, refuseName, resolve, type Batch, type Step } from './batch.ts';
import type {
  DeleteReusableContent,
  InsertReusableContent,
  Refusal,
  ReusableContentFields,
  UpdateReusableContent,
} from './change.ts';
import { withoutStaleLinks } from './pages.ts';

type Result = Step | Refusal;

export function insertReusableContent(batch: Batch, change: InsertReusableContent): Result {
  const { id, ref, document } = change;
  const refusal = refuseName(batch, id, ref);
  if (refusal !== undefined) return refusal;
  if (document === undefined)
    return refuse('missing_field', 'Reusable content requires `document`', 'document');
  const values = readFields(change);
  if (isRefusal(values)) return values;
  const record = { title: 'Untitled', document, ...values, id, kind: 'reusable-content' } as const;
  return { records: [[id, compact(record)]], outcomes: [created('reusable-content', id, ref)] };
}

export function updateReusableContent(batch: Batch, change: UpdateReusableContent): Result {
  const before = findReusableContent(batch.tree, resolve(batch, change.reusableContent));
  if (before === undefined) return unknownReusableContent(change.reusableContent);
  const values = readFields(change);
  if (isRefusal(values)) return values;
  const record = compact({ ...before, ...withoutStaleLinks(change), ...values });
  return {
    records: [[before.id, isSame(record, before) ? before : record]],
    outcomes: [{ did: 'updated', kind: 'reusable-content', id: before.id }],
  };
}

export function deleteReusableContent(batch: Batch, change: DeleteReusableContent): Result {
  const id = resolve(batch, change.reusableContent);
  if (findReusableContent(batch.tree, id) === undefined)
    return unknownReusableContent(change.reusableContent);
  return { records: [[id, null]], outcomes: [{ did: 'deleted', kind: 'reusable-content', id }] };
}

function readFields(fields: ReusableContentFields): Partial<ReusableContentRecord> | Refusal {
  const title = fields.title === undefined ? undefined : cleanTitle(fields.title);
  if (fields.title !== undefined && title === undefined) {
    return refuse('invalid_field', `A title must have 1 to ${MAX_TITLE} visible characters`, 'title');
  }
  return {
    ...(title === undefined ? {} : { title }),
    ...(fields.document === undefined ? {} : { document: fields.document }),
    ...cleared('links', fields.links),
    ...cleared('source', fields.source),
  };
}

/** Null removes a member; undefined leaves it unchanged. */
const cleared = (name: string, value: unknown): object =>
  value === undefined ? {} : { [name]: value ?? undefined };

const unknownReusableContent = (id: string): Refusal =>
  refuse('unknown_reusable_content', `There is no reusable content ${id}`, 'reusableContent');
