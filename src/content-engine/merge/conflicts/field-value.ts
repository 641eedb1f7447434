import type { Hash } from '../../map/index.ts';
import type { ContentRecord } from '../../tree/index.ts';
import type { FieldConflict } from './conflict.ts';
import type { Fields } from '../merge-fields.ts';
import { fieldsOf, recordOf } from '../merge-record.ts';

type Name = Pick<FieldConflict, 'field' | 'member'>;

/** The value in conflict, as the record stores it. */
export function fieldValue(record: ContentRecord | undefined, { field, member }: Name): unknown {
  if (field === 'record') return record;
  const value = fieldsOf(record)[field];
  if (member === undefined) return value;
  // Users name variables: one may be called `toString`.
  const members = membersOf(value);
  return Object.hasOwn(members, member) ? members[member] : undefined;
}

/** The record with another value of the field. Undefined removes the value. */
export function withFieldValue(record: ContentRecord, name: Name, value: unknown): ContentRecord {
  const { field, member } = name;
  if (field === 'record') return (value as ContentRecord | undefined) ?? record;
  const fields = fieldsOf(record);
  if (member === undefined) return recordOf({ ...fields, [field]: value });
  const members = Object.entries(membersOf(fields[field])).filter(([other]) => other !== member);
  if (value !== undefined) members.push([member, value]);
  // Records omit empty members, except the variables of the space.
  const isStored = members.length > 0 || field === 'values';
  return recordOf({ ...fields, [field]: isStored ? Object.fromEntries(members) : undefined });
}

const membersOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {};

/** Whether it is a page with a body, or a reusable content. */
export const hasDocument = (
  record: ContentRecord | undefined,
): record is Extract<ContentRecord, { readonly document: Hash }> =>
  record !== undefined && 'document' in record;

export const documentOf = (record: ContentRecord | undefined): Hash | undefined =>
  hasDocument(record) ? record.document : undefined;
