import { findFile } from '../lookup.ts';
import type { FileRecord } from '../records.ts';
import { isFileName } from '../names/slug.ts';
import { compact, created, refuse, refuseName, resolve, type Batch, type Step } from './batch.ts';
import type { DeleteFile, InsertFiles, NewFile, Refusal } from './change.ts';

export function insertFiles(batch: Batch, { files }: InsertFiles): Step | Refusal {
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

export function deleteFile(batch: Batch, { file: name }: DeleteFile): Step | Refusal {
  const id = resolve(batch, name);
  if (findFile(batch.tree, id) === undefined)
    return refuse('unknown_file', `There is no file ${name}`, 'file');
  return { records: [[id, null]], outcomes: [{ did: 'deleted', kind: 'file', id }] };
}
