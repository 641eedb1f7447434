import { isUtf8 } from 'node:buffer';
import parse from 'secure-json-parse';
import { badRequest, tooLarge, unsupportedMedia } from '../../api/errors.ts';
import type { JsonLimits } from '../../api/operation.ts';
import { isUnstorable, STORABLE } from '../../api/value-checks.ts';

/** Objects with more members are slow to build and to check. */
const USUAL_LIMITS: JsonLimits = { values: 200_000, members: 10_000, advice: 'Send less in one request.' };
const MAX_DEPTH = 100;

/** Parses a JSON body. Throws 400, 413 or 415. */
export function readJson(contentType: string | undefined, bytes: Buffer, limits = USUAL_LIMITS): unknown {
  if (!/^application\/([\w.-]+\+)?json\s*(;|$)/i.test(contentType ?? '')) {
    throw unsupportedMedia('Send the body as JSON, with `Content-Type: application/json`.');
  }
  const text = textOf(bytes);
  const value = valueOf(text, limits);
  const found = UNSTORABLE_ESCAPE.test(text) ? findUnstorable(value) : undefined;
  if (found !== undefined) {
    const place = `body${found}`;
    throw badRequest(`${place}: ${STORABLE}.`, [{ path: place, rule: STORABLE }]);
  }
  return value;
}

/** JSON of another program, whatever its content type: within the same limits, but its texts are not checked. Throws 400 or 413. */
export const parseJson = (bytes: Buffer): unknown => valueOf(textOf(bytes), USUAL_LIMITS);

function textOf(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw badRequest('The body is not valid UTF-8.');
  return bytes.toString('utf8', hasByteOrderMark(bytes) ? 3 : 0);
}

const hasByteOrderMark = (bytes: Buffer): boolean =>
  bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;

/** Also matches escaped ASCII letters. */
const SUSPECT_NAME = /__proto__|constructor|\\u00[4-7]/i;

/** Escapes of NUL and of lone surrogates, which neither the database nor a file can store. */
const UNSTORABLE_ESCAPE = /\\u(0000|d[89a-f])/i;

function valueOf(text: string, limits: JsonLimits): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw badRequest(`The body is not valid JSON: ${(error as Error).message}`);
  }
  requireWithin(value, limits);
  // A member could replace the prototype of an object that is built from it.
  if (SUSPECT_NAME.test(text) && typeof value === 'object' && value !== null)
    parse.scan(value, { protoAction: 'remove', constructorAction: 'remove' });
  return value;
}

function requireWithin(value: unknown, { values: maxValues, members: maxMembers, advice }: JsonLimits): void {
  let values = 0;
  const visit = (each: unknown, depth: number): void => {
    if (++values > maxValues) throw tooLarge(`The body has more than ${maxValues} values. ${advice}`);
    if (typeof each !== 'object' || each === null) return;
    if (depth === MAX_DEPTH) throw badRequest(`The body is nested deeper than ${MAX_DEPTH} levels.`);
    let members = 0;
    for (const name in each) {
      if (++members > maxMembers && !Array.isArray(each))
        throw tooLarge(`An object in the body has more than ${maxMembers} members. ${advice}`);
      visit((each as Record<string, unknown>)[name], depth + 1);
    }
  };
  visit(value, 0);
}

/** The path to the first such text. Built when it is found: a body may have many values. */
function findUnstorable(value: unknown): string | undefined {
  if (typeof value === 'string') return isUnstorable(value) ? '' : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  const members = value as Record<string, unknown>;
  for (const name in members) {
    if (isUnstorable(name)) return '';
    const found = findUnstorable(members[name]);
    if (found !== undefined) return `.${name}${found}`;
  }
  return undefined;
}
