import { isSame } from '../../map/index.ts';
import { compact, isRefusal, refuse, refuseName, resolve, type Batch, type Step } from './batch.ts';
import type {
  DeleteFile,
  DeleteReusableContent,
  InsertFiles,
  InsertReusableContent,
  NewFile,
  Refusal,
  ReusableContentFields,
  SetVariables,
  UpdateReusableContent,
} from './change.ts';
import { findFile, findReusableContent, variablesOf } from '../lookup.ts';
import {
  VARIABLES_ID,
  type ContentRecord,
  type FileRecord,
  type ReusableContentRecord,
  type VariablesRecord,
} from '../records.ts';
import { cleanTitle, isFileName, MAX_TITLE } from '../slug.ts';
import { withoutStaleLinks } from './pages.ts';
import { refuseVariables } from './variables.ts';

type Result = Step | Refusal;

export function insertFiles(batch: Batch, { files }: InsertFiles): Result {
  const refs = new Map(batch.refs);
  const ids = new Set<string>();
  for (const { id, ref, name } of files) {
    const refusal = refuseName({ ...batch, refs }, id, ref);
    if (refusal !== undefined) return refusal;
    if (ids.has(id)) return refuse('id_taken', `An entry ${id} already exists`, 'id');
    if (!isFileName(name)) {
      const rule = '1 to 256 visible characters and no slash';
      return refuse('invalid_field', `A file name must have ${rule}`, 'name');
    }
    ids.add(id);
    if (ref !== undefined) refs.set(ref, id);
  }
  return {
    records: files.map((file) => [file.id, fileRecord(file)]),
    outcomes: files.map(({ id, ref }) => created('file', id, ref)),
  };
}

const fileRecord = (file: NewFile): FileRecord => compact({ ...file, ref: undefined, kind: 'file' as const });

export function deleteFile(batch: Batch, { file: name }: DeleteFile): Result {
  const id = resolve(batch, name);
  if (findFile(batch.tree, id) === undefined)
    return refuse('unknown_file', `There is no file ${name}`, 'file');
  return { records: [[id, null]], outcomes: [{ did: 'deleted', kind: 'file', id }] };
}

export function setVariables(batch: Batch, { variables }: SetVariables): Result {
  const given = new Map(Object.entries(variables));
  const before = batch.tree.records.get(VARIABLES_ID);
  const values = Object.fromEntries([
    ...Object.entries(variablesOf(batch.tree)).filter(([name]) => !given.has(name)),
    ...[...given].filter((entry) => entry[1] !== null),
  ]) as VariablesRecord['values'];
  const refusal = refuseVariables(values);
  if (refusal !== undefined) return refusal;
  const source = before?.kind === 'variables' ? before.source : undefined;
  const record = compact<VariablesRecord>({
    id: VARIABLES_ID,
    kind: 'variables',
    values,
    ...(source === undefined ? {} : { source }),
  });
  const isNothing = Object.keys(values).length === 0 && source === undefined;
  return {
    records: [[VARIABLES_ID, isNothing ? null : record]],
    outcomes: [{ did: 'updated', kind: 'variables', id: VARIABLES_ID }],
  };
}

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

function readFields(given: ReusableContentFields): Partial<ReusableContentRecord> | Refusal {
  const title = given.title === undefined ? undefined : cleanTitle(given.title);
  if (given.title !== undefined && title === undefined) {
    return refuse('invalid_field', `A title must have 1 to ${MAX_TITLE} visible characters`, 'title');
  }
  return {
    ...(title === undefined ? {} : { title }),
    ...(given.document === undefined ? {} : { document: given.document }),
    ...cleared('links', given.links),
    ...cleared('source', given.source),
  };
}

/** Null takes a member away; undefined leaves it. */
const cleared = (name: string, value: unknown): object =>
  value === undefined ? {} : { [name]: value ?? undefined };

const created = (kind: ContentRecord['kind'], id: string, ref: string | undefined) => ({
  did: 'created' as const,
  kind,
  id,
  ...(ref === undefined ? {} : { ref }),
});

const unknownReusableContent = (id: string): Refusal =>
  refuse('unknown_reusable_content', `There is no reusable content ${id}`, 'reusableContent');
