import { isUtf8 } from 'node:buffer';
import parseJson from 'secure-json-parse';
import { badRequest, unsupportedMedia } from '../api/errors.ts';
import type { JsonLimits } from '../api/operation.ts';
import { isUnstorable, STORABLE } from '../api/storable.ts';
import { inSlices } from '../threads/slices.ts';
import { parseText, putBack, setApart } from './large-values.ts';
import { scanJson } from './scan-json.ts';

/** JSON.parse takes up to some 150 ms for this many values; objects with more members are slow to build and to check. */
const USUAL_LIMITS: JsonLimits = { values: 200_000, members: 10_000, advice: 'Send less in one request.' };

/** Parses a JSON body. Throws 400, 413 or 415. */
export function readJson(contentType: string | undefined, bytes: Buffer, limits = USUAL_LIMITS): unknown {
  const steps = jsonSteps(contentType, bytes, limits);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** The same for a body of megabytes: other requests are served between the steps. */
export const readJsonInSteps = (
  contentType: string | undefined,
  bytes: Buffer,
  limits = USUAL_LIMITS,
): Promise<unknown> => inSlices(jsonSteps(contentType, bytes, limits));

/** JSON of another program, whatever its content type: within the same limits, but its texts are not checked. Throws 400 or 413. */
export const parseJsonInSteps = async (bytes: Buffer): Promise<unknown> =>
  (await inSlices(parseSteps(bytes, USUAL_LIMITS))).value;

function* jsonSteps(
  contentType: string | undefined,
  bytes: Buffer,
  limits: JsonLimits,
): Generator<void, unknown, void> {
  if (!/^application\/([\w.-]+\+)?json\s*(;|$)/i.test(contentType ?? '')) {
    throw unsupportedMedia('Send the body as JSON, with `Content-Type: application/json`.');
  }
  const { value, text, values } = yield* parseSteps(bytes, limits);
  const mayBeUnstorable =
    UNSTORABLE_ESCAPE.test(text) || values.some((one) => typeof one === 'string' && isUnstorable(one));
  const found = mayBeUnstorable ? findUnstorable(value) : undefined;
  if (found !== undefined) {
    const place = `body${found}`;
    throw badRequest(`${place}: ${STORABLE}.`, [{ path: place, rule: STORABLE }]);
  }
  yield;
  return value;
}

/** The value of a body; its text, in which placeholders replace the large values; and those. */
function* parseSteps(bytes: Buffer, limits: JsonLimits) {
  if (!isUtf8(bytes)) throw badRequest('The body is not valid UTF-8.');
  yield;
  const large = yield* scanJson(bytes, limits);
  yield;
  const { text, placeholder, values } = yield* setApart(bytes, large, limits);
  const parsed = parseText(text, values.length > 0);
  yield;
  // A member could replace the prototype of an object that is built from it.
  if (SUSPECT_NAME.test(text) && typeof parsed === 'object' && parsed !== null) {
    parseJson.scan(parsed, { protoAction: 'remove', constructorAction: 'remove' });
  }
  yield;
  const value = values.length > 0 ? putBack(parsed, placeholder, values) : parsed;
  yield;
  return { value, text, values };
}

/** Also matches escaped ASCII letters. */
const SUSPECT_NAME = /__proto__|constructor|\\u00[4-7]/i;

/** Escapes of NUL and of lone surrogates, which neither the database nor a file can store. */
const UNSTORABLE_ESCAPE = /\\u(0000|d[89a-f])/i;

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
