import { tooLarge } from './errors.ts';
import { MAX_SMALL, TooLargeHere } from './too-large-here.ts';

export const MAX_ANSWER = 64 * 1024 * 1024;

/** Characters that JSON adds to a value: quotes, a comma, a colon. */
const OVERHEAD = 3;

/** Refuses a value before it is serialised: in the front, one that takes long to serialise. */
export function requireSendable(value: unknown, isFront = false): void {
  const left = spend(value, isFront ? MAX_SMALL.answer : MAX_ANSWER);
  if (left >= 0) return;
  throw isFront ? new TooLargeHere('answer', MAX_SMALL.answer - left) : answerTooLarge();
}

/** Refuses a serialised body that is too large to send. */
export function requireSendableBody(body: string | Buffer): void {
  // A character has at most three bytes, so most texts need not be measured.
  if (body.length * 3 > MAX_ANSWER && Buffer.byteLength(body) > MAX_ANSWER) throw answerTooLarge();
}

/** Refuses a body by its length, before all of its bytes exist. */
export function requireSendableLength(bytes: number): void {
  if (bytes > MAX_ANSWER) throw answerTooLarge();
}

const answerTooLarge = () =>
  tooLarge(
    `The response would exceed ${MAX_ANSWER / 1024 / 1024} MB. Request less: fewer items with \`limit\`, ` +
      'one page instead of all, or `format=markdown` instead of a document.',
  );

/** The budget, in characters, that remains after a value. Negative: the value exceeds it. Looks no further than needed. */
function spend(value: unknown, budget: number): number {
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
