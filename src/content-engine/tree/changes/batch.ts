import type { Outcome, Refusal, RefusalCode } from './change.ts';
import { isId } from '../content-ref.ts';
import type { ContentRecord } from '../records.ts';
import type { Tree } from '../tree.ts';

/** The state of a batch while it is applied: the tree after the changes so far, and the refs they defined. */
export interface Batch {
  readonly tree: Tree;
  readonly now: number;
  /** ref → id */
  readonly refs: ReadonlyMap<string, string>;
}

/** The effect of one change. */
export interface Step {
  readonly records: readonly (readonly [string, ContentRecord | null])[];
  readonly outcomes: readonly Omit<Outcome, 'index'>[];
}

export const refuse = (code: RefusalCode, message: string, field?: string): Refusal => ({
  code,
  message,
  ...(field === undefined ? {} : { field }),
});

export const created = (kind: ContentRecord['kind'], id: string, ref: string | undefined) => ({
  did: 'created' as const,
  kind,
  id,
  ...(ref === undefined ? {} : { ref }),
});

export const isRefusal = (value: object): value is Refusal => 'code' in value;

/** The id that an id or a ref denotes. */
export const resolve = ({ refs }: Batch, name: string): string => refs.get(name) ?? name;

/** Checks the id and the ref of a new entry. */
export function refuseName({ tree, refs }: Batch, id: string, ref: string | undefined): Refusal | undefined {
  if (!isId(id)) return refuse('invalid_id', 'An id must have 1 to 40 letters and digits', 'id');
  if (tree.records.has(id)) return refuse('id_taken', `An entry ${id} already exists`, 'id');
  if (ref !== undefined && (refs.has(ref) || tree.records.has(ref))) {
    return refuse('ref_taken', `The ref ${ref} is already in use`, 'ref');
  }
  return undefined;
}

/** Removes undefined members, so that a record has one form. */
export function compact<T extends object>(record: T): T {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as T;
}
