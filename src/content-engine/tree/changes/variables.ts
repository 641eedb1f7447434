import { variablesOf } from '../lookup.ts';
import { VARIABLES_ID, type VariablesRecord } from '../records.ts';
import { compact, refuse, type Batch, type Step } from './batch.ts';
import type { Refusal, SetVariables } from './change.ts';

const MAX_VARIABLES = 500;
const MAX_NAME_LENGTH = 100;
export const MAX_VARIABLE_LENGTH = 256;

/** A record is part of every tree that contains it, and an edit of one page rewrites up to 16 records. */
const MAX_PAGE_KB = 16;

/** Names that no expression can read. */
const UNREADABLE = new Set(['__proto__', 'constructor', 'prototype']);

export function setVariables(batch: Batch, { variables }: SetVariables): Step | Refusal {
  const changes = new Map(Object.entries(variables));
  const before = batch.tree.records.get(VARIABLES_ID);
  const values = Object.fromEntries([
    ...Object.entries(variablesOf(batch.tree)).filter(([name]) => !changes.has(name)),
    ...[...changes].filter((entry) => entry[1] !== null),
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
  const isEmpty = Object.keys(values).length === 0 && source === undefined;
  return {
    records: [[VARIABLES_ID, isEmpty ? null : record]],
    outcomes: [{ did: 'updated', kind: 'variables', id: VARIABLES_ID }],
  };
}

/** Checks the variables of a page. Undefined: they are valid. */
export const refusePageVariables = (variables: Readonly<Record<string, unknown>>): Refusal | undefined =>
  refuseVariables(variables) ?? refuseSize(variables, 'variables');

/** Checks the size of a member of a page that consists of many values. */
export const refuseSize = (value: object, field: string): Refusal | undefined =>
  Buffer.byteLength(JSON.stringify(value)) > MAX_PAGE_KB * 1024
    ? refuse('invalid_field', `The ${field} of a page must not exceed ${MAX_PAGE_KB} kB of JSON`, field)
    : undefined;

/** Checks the variables of a page or of the space. Undefined: they are valid. */
export function refuseVariables(variables: Readonly<Record<string, unknown>>): Refusal | undefined {
  const all = Object.entries(variables);
  if (all.length > MAX_VARIABLES)
    return refuse('invalid_field', `At most ${MAX_VARIABLES} variables are allowed`, 'variables');
  for (const [name, value] of all) {
    if (name === '' || name.length > MAX_NAME_LENGTH || UNREADABLE.has(name)) {
      return refuse('invalid_field', `${JSON.stringify(name)} is not a valid variable name`, 'variables');
    }
    if (!isValue(value)) {
      const rule = `a string of at most ${MAX_VARIABLE_LENGTH} characters, a number or a boolean`;
      return refuse('invalid_field', `The variable ${name} must be ${rule}`, 'variables');
    }
  }
  return undefined;
}

const isValue = (value: unknown): boolean =>
  typeof value === 'boolean' ||
  (typeof value === 'number' && Number.isFinite(value)) ||
  (typeof value === 'string' && value.length <= MAX_VARIABLE_LENGTH);
