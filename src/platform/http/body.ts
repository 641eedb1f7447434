import parseJson from 'secure-json-parse';
import { badRequest, unsupportedMedia } from '../errors.ts';

const MAX_DEPTH = 100;
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The JSON of a request, or why it is none. Nothing deeper than 100 levels gets any further. */
export function readJson(contentType: string | undefined, bytes: Buffer): unknown {
  if (!/^application\/([\w.-]+\+)?json\s*(;|$)/i.test(contentType ?? '')) {
    throw unsupportedMedia('Send the body as JSON, with `Content-Type: application/json`.');
  }
  const text = decode(bytes);
  if (isTooDeep(text)) throw badRequest(`The body is nested deeper than ${MAX_DEPTH} levels.`);
  const value = parse(text);
  const place = ODD_ESCAPE.test(text) ? findOdd(value, 'body') : undefined;
  if (place !== undefined) {
    const rule = 'must be text without NUL characters and halves of surrogate pairs';
    throw badRequest(`${place}: ${rule}.`, [{ path: place, rule }]);
  }
  return value;
}

function parse(text: string): unknown {
  try {
    return parseJson.parse(text, undefined, { protoAction: 'remove', constructorAction: 'remove' });
  } catch (error) {
    throw badRequest(`The body is not valid JSON: ${(error as Error).message}`);
  }
}

/** Only so can JSON spell what is no text: neither a database nor a file could keep it as it is. */
const ODD_ESCAPE = /\\u(0000|d[89a-f])/i;

const isOdd = (text: string): boolean => text.includes('\u0000') || !text.isWellFormed();

function findOdd(value: unknown, place: string): string | undefined {
  if (typeof value === 'string') return isOdd(value) ? place : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, inner] of Object.entries(value)) {
    const found = isOdd(name) ? place : findOdd(inner, `${place}.${name}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

function decode(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw badRequest('The body is not valid UTF-8.');
  }
}

/** Counted on the text: what is parsed already could no longer be walked or copied safely. */
function isTooDeep(text: string): boolean {
  let depth = 0;
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (inString) {
      if (code === BACKSLASH) i++;
      else if (code === QUOTE) inString = false;
    } else if (code === QUOTE) inString = true;
    else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      if (++depth > MAX_DEPTH) return true;
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) depth--;
  }
  return false;
}

const [BACKSLASH, QUOTE, OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [
  0x5c, 0x22, 0x7b, 0x7d, 0x5b, 0x5d,
];
