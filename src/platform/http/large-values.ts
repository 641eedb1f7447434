import { randomUUID } from 'node:crypto';
import { StringDecoder } from 'node:string_decoder';
import { badRequest } from '../api/errors.ts';
import type { JsonLimits } from '../api/operation.ts';
import { withJsonText } from '../api/unparsed-json.ts';
import { PIECE, type LargeValue } from './scan-json.ts';

/** The text of a body in which a placeholder, followed by an index, replaces each large value; and those values. */
export function* setApart(bytes: Buffer, large: readonly LargeValue[], { unparsed }: JsonLimits) {
  const placeholder = randomUUID();
  const values: (string | object)[] = [];
  let text = '';
  let start = hasByteOrderMark(bytes) ? 3 : 0;
  for (const value of large) {
    text += `${yield* decode(bytes, start, value.start)}"${placeholder}${values.length}"`;
    values.push(
      value.cuts
        ? yield* parseString(bytes, value, value.cuts)
        : // A copy, because the bytes of the body are released.
          withJsonText(unparsed?.stub, new Uint8Array(bytes.subarray(value.start, value.end))),
    );
    start = value.end;
  }
  text += yield* decode(bytes, start, bytes.length);
  return { text, placeholder, values };
}

function* decode(bytes: Buffer, start: number, end: number): Generator<void, string, void> {
  if (end - start <= PIECE) return bytes.toString('utf8', start, end);
  const decoder = new StringDecoder('utf8');
  let text = '';
  for (let from = start; from < end; from += PIECE) {
    text += decoder.write(bytes.subarray(from, Math.min(from + PIECE, end)));
    yield;
  }
  return text;
}

function* parseString(
  bytes: Buffer,
  { start, end }: LargeValue,
  cuts: readonly number[],
): Generator<void, string, void> {
  const pieces: string[] = [];
  let from = start + 1;
  for (const to of [...cuts, end - 1]) {
    pieces.push(parseText(`"${bytes.toString('utf8', from, to)}"`, true) as string);
    from = to;
    yield;
  }
  return pieces.join('');
}

/** Replaces the placeholders in a value. */
export function putBack(value: unknown, placeholder: string, values: readonly unknown[]): unknown {
  if (typeof value === 'string')
    return value.startsWith(placeholder) ? values[Number(value.slice(placeholder.length))] : value;
  if (typeof value !== 'object' || value === null) return value;
  const members = value as Record<string, unknown>;
  for (const name in members) members[name] = putBack(members[name], placeholder, values);
  return value;
}

const hasByteOrderMark = (bytes: Buffer): boolean =>
  bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;

/** `isPart`: messages neither name positions, which are not those of the body, nor quote its text. */
export function parseText(text: string, isPart: boolean): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const { message } = error as Error;
    const reason = isPart ? message.replace(/( in JSON)? at position .*|, (\.{3})?".*/s, '') : message;
    throw badRequest(`The body is not valid JSON: ${reason}`);
  }
}
