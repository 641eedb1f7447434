import type { Outcome, Refusal, RefusalCode } from './change.ts';
import { isId } from '../content-ref.ts';
import type { ContentRecord } from '../records.ts';
import type { Tree } from '../tree.ts';

/** A batch while it is applied: what the changes so far made of the tree, and the names they gave. */
export interface Batch {
  readonly tree: Tree;
  readonly now: number;
  /** ref → id */
  readonly refs: ReadonlyMap<string, string>;
}

/** What one change does. */
export interface Step {
  readonly records: readonly (readonly [string, ContentRecord | null])[];
  readonly outcomes: readonly Omit<Outcome, 'index'>[];
}

export const refuse = (code: RefusalCode, message: string, field?: string): Refusal => ({
  code,
  message,
  ...(field === undefined ? {} : { field }),
});

export const isRefusal = (value: object): value is Refusal => 'code' in value;

/** The id behind an id or a ref. */
export const resolve = ({ refs }: Batch, name: string): string => refs.get(name) ?? name;

/** What is wrong with the id and the ref of a new entry. */
export function refuseName({ tree, refs }: Batch, id: string, ref: string | undefined): Refusal | undefined {
  if (!isId(id)) return refuse('invalid_id', 'An id must have 1 to 40 letters and digits', 'id');
  if (tree.records.has(id)) return refuse('id_taken', `An entry ${id} already exists`, 'id');
  if (ref !== undefined && (refs.has(ref) || tree.records.has(ref))) {
    return refuse('ref_taken', `The ref ${ref} is already in use`, 'ref');
  }
  return undefined;
}

/** A record without the members that are undefined: absent and undefined would be two values. */
export function compact<T extends object>(record: T): T {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as T;
}
