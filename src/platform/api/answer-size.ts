import { tooLarge } from './errors.ts';

export const MAX_ANSWER = 64 * 1024 * 1024;

/** What JSON adds to a value: quotes, a comma, a colon. */
const OVERHEAD = 3;

/** Whether a value has more characters of JSON than this, about. Looks no further than needed. */
export const exceeds = (value: unknown, characters: number): boolean => spend(value, characters) < 0;

/** Refuses a value before it is serialised, so that hundreds of megabytes are not built only to be measured. */
export function requireSendable(value: unknown): void {
  if (exceeds(value, MAX_ANSWER)) throw answerTooLarge();
}

/** The same for a serialised body. */
export function requireSendableBody(body: string | Buffer): void {
  // A character has at most three bytes, so most texts need not be measured.
  if (body.length * 3 > MAX_ANSWER && Buffer.byteLength(body) > MAX_ANSWER) throw answerTooLarge();
}

/** The same for bytes that are not all made yet. */
export function requireSendableLength(bytes: number): void {
  if (bytes > MAX_ANSWER) throw answerTooLarge();
}

const answerTooLarge = () =>
  tooLarge(
    `The response would exceed ${MAX_ANSWER / 1024 / 1024} MB. Request less: fewer items with \`limit\`, ` +
      'one page instead of all, or `format=markdown` instead of a document.',
  );

/** The budget, in characters, that remains after a value. Negative: the value exceeds it. */
export function spend(value: unknown, budget: number): number {
  if (typeof value === 'string') return budget - value.length - OVERHEAD;
  if (typeof value !== 'object' || value === null) return budget - OVERHEAD;
  let left = budget - OVERHEAD;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length && left >= 0; index++) left = spend(value[index], left);
    return left;
  }
  for (const name in value) {
    if (left < 0) return left;
    left = spend((value as Readonly<Record<string, unknown>>)[name], left - name.length - OVERHEAD);
  }
  return left;
}
