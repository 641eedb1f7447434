import { refuse } from './batch.ts';
import type { Refusal } from './change.ts';

const MOST = 500;
const LONGEST_NAME = 100;
export const LONGEST_VALUE = 256;

/** No expression can read these, so a variable of that name could only mislead. */
const UNREADABLE = new Set(['__proto__', 'constructor', 'prototype']);

/** What is wrong with variables of a page or of the space. A null, where one is allowed, takes a variable away. */
export function refuseVariables(variables: Readonly<Record<string, unknown>>): Refusal | undefined {
  const all = Object.entries(variables);
  if (all.length > MOST) return refuse('invalid_field', `At most ${MOST} variables are allowed`, 'variables');
  for (const [name, value] of all) {
    if (name === '' || name.length > LONGEST_NAME || UNREADABLE.has(name)) {
      return refuse('invalid_field', `${JSON.stringify(name)} is not a valid variable name`, 'variables');
    }
    if (!isValue(value)) {
      const rule = `a string of at most ${LONGEST_VALUE} characters, a number or a boolean`;
      return refuse('invalid_field', `The variable ${name} must be ${rule}`, 'variables');
    }
  }
  return undefined;
}

const isValue = (value: unknown): boolean =>
  typeof value === 'boolean' ||
  (typeof value === 'number' && Number.isFinite(value)) ||
  (typeof value === 'string' && value.length <= LONGEST_VALUE);
