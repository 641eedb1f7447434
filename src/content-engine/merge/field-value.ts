import type { Hash } from '../map/index.ts';
import type { ContentRecord } from '../tree/index.ts';
import type { FieldConflict } from './conflict.ts';
import type { Fields } from './merge-fields.ts';
import { fieldsOf, recordOf } from './merge-record.ts';

type Name = Pick<FieldConflict, 'field' | 'member'>;

/** What a conflict about a field is about, as the record keeps it. */
export function fieldValue(record: ContentRecord | undefined, { field, member }: Name): unknown {
  if (field === 'record') return record;
  const value = fieldsOf(record)[field];
  if (member === undefined) return value;
  // People choose the names of variables: `toString` may be one, and is none of an object's own.
  const members = membersOf(value);
  return Object.hasOwn(members, member) ? members[member] : undefined;
}

/** The record with another value there. Undefined: without one. */
export function withFieldValue(record: ContentRecord, name: Name, value: unknown): ContentRecord {
  const { field, member } = name;
  if (field === 'record') return (value as ContentRecord | undefined) ?? record;
  const fields = fieldsOf(record);
  if (member === undefined) return recordOf({ ...fields, [field]: value });
  const members = Object.entries(membersOf(fields[field])).filter(([other]) => other !== member);
  if (value !== undefined) members.push([member, value]);
  // A record does not keep what is empty, but for the variables of the space.
  const isKept = members.length > 0 || field === 'values';
  return recordOf({ ...fields, [field]: isKept ? Object.fromEntries(members) : undefined });
}

const membersOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {};

/** Of a page or a reusable content. */
export const documentOf = (record: ContentRecord | undefined): Hash | undefined =>
  record !== undefined && 'document' in record ? record.document : undefined;
