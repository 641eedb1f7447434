import { isUtf8 } from 'node:buffer';
import { setImmediate as turn } from 'node:timers/promises';
import parseJson from 'secure-json-parse';
import { badRequest, tooLarge, unsupportedMedia } from '../api/errors.ts';
import type { JsonLimits } from '../api/operation.ts';

const MAX_DEPTH = 100;

/** JSON.parse takes some 100 ms for this many values; objects with more members are slow to build and to check. */
const USUAL_LIMITS: JsonLimits = { values: 500_000, members: 10_000, advice: 'Send less in one request.' };

/** Parses a JSON body. Throws 400, 413 or 415. */
export function readJson(contentType: string | undefined, bytes: Buffer, limits = USUAL_LIMITS): unknown {
  const steps = jsonSteps(contentType, bytes, limits);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** The same for a body of megabytes: other requests are served between the steps. */
export async function readJsonInSteps(
  contentType: string | undefined,
  bytes: Buffer,
  limits = USUAL_LIMITS,
): Promise<unknown> {
  const steps = jsonSteps(contentType, bytes, limits);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    await turn();
  }
}

function* jsonSteps(
  contentType: string | undefined,
  bytes: Buffer,
  limits: JsonLimits,
): Generator<void, unknown> {
  if (!/^application\/([\w.-]+\+)?json\s*(;|$)/i.test(contentType ?? '')) {
    throw unsupportedMedia('Send the body as JSON, with `Content-Type: application/json`.');
  }
  if (!isUtf8(bytes)) throw badRequest('The body is not valid UTF-8.');
  yield;
  requireReasonable(bytes, limits);
  yield;
  const text = bytes.toString('utf8', hasByteOrderMark(bytes) ? 3 : 0);
  yield;
  const value = parse(text);
  yield;
  // A member could replace the prototype of an object that is built from it.
  if (SUSPECT_NAME.test(text) && typeof value === 'object' && value !== null) {
    parseJson.scan(value, { protoAction: 'remove', constructorAction: 'remove' });
  }
  yield;
  const place = UNSTORABLE_ESCAPE.test(text) ? findUnstorable(value, 'body') : undefined;
  if (place !== undefined) {
    const rule = 'must be text without NUL characters and unpaired surrogates';
    throw badRequest(`${place}: ${rule}.`, [{ path: place, rule }]);
  }
  yield;
  return value;
}

const hasByteOrderMark = (bytes: Buffer): boolean =>
  bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw badRequest(`The body is not valid JSON: ${(error as Error).message}`);
  }
}

/** Also matches escaped ASCII letters. */
const SUSPECT_NAME = /__proto__|constructor|\\u00[4-7]/i;

/** Escapes of NUL and of lone surrogates, which neither the database nor a file can store. */
const UNSTORABLE_ESCAPE = /\\u(0000|d[89a-f])/i;

const isUnstorable = (text: string): boolean => text.includes('\u0000') || !text.isWellFormed();

function findUnstorable(value: unknown, place: string): string | undefined {
  if (typeof value === 'string') return isUnstorable(value) ? place : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, inner] of Object.entries(value)) {
    const found = isUnstorable(name) ? place : findUnstorable(inner, `${place}.${name}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Limits depth and number of values, counted on the bytes: a parsed value costs thirty times as much memory and could not
 * be walked safely. Strings are skipped by searching for their end.
 */
function requireReasonable(bytes: Buffer, limits: JsonLimits): void {
  let depth = 0;
  let values = 0;
  const members = new Uint32Array(MAX_DEPTH + 1);
  for (let i = 0; i < bytes.length; i++) {
    switch (bytes[i]) {
      case QUOTE:
        i = endOfString(bytes, i);
        break;
      case OPEN_BRACE:
      case OPEN_BRACKET:
        if (++depth > MAX_DEPTH) throw badRequest(`The body is nested deeper than ${MAX_DEPTH} levels.`);
        members[depth] = 0;
        values++;
        break;
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        depth--;
        break;
      case COLON:
        members[depth] = (members[depth] ?? 0) + 1;
        if ((members[depth] ?? 0) > limits.members) {
          throw tooLarge(`An object in the body has more than ${limits.members} members. ${limits.advice}`);
        }
        values++;
        break;
      case COMMA:
        values++;
        break;
    }
    if (values > limits.values) {
      throw tooLarge(`The body has more than ${limits.values} values. ${limits.advice}`);
    }
  }
}

/** The index of the closing quote: the first one after an even number of backslashes. */
function endOfString(bytes: Buffer, start: number): number {
  for (let end = start; ;) {
    end = bytes.indexOf(QUOTE, end + 1);
    if (end === -1) return bytes.length;
    let before = end - 1;
    while (bytes[before] === BACKSLASH) before--;
    if ((end - before) % 2 === 1) return end;
  }
}

const BACKSLASH = 0x5c;
const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
