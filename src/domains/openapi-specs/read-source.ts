import {
  bundle,
  parseFile,
  requireSpecification,
  SpecificationError,
  type Bundle,
  type JsonObject,
} from '../../content-engine/openapi/index.ts';
import { OutboundError, type Outbound } from '../../platform/outbound/index.ts';
import { FETCH_MS, MAX_SPECIFICATION } from './limits.ts';
import type { ClaimedSpec } from './reading-store.ts';

export interface ReadSource extends Bundle {
  readonly etag: string | null;
  readonly lastModified: string | null;
}

/** Reads a specification with all files that it refers to. Undefined if its URL has not changed. */
export async function readSource(
  outbound: Outbound,
  spec: ClaimedSpec,
  signal: AbortSignal,
): Promise<ReadSource | undefined> {
  let rest = MAX_SPECIFICATION;
  const fetch = async (url: URL | string, headers: Record<string, string> = {}) => {
    const answer = await outbound
      .fetch(url, { headers, accept: ACCEPT, maxBytes: Math.max(rest, 1), timeoutMs: FETCH_MS, signal })
      .catch((error: unknown) => Promise.reject(fetchError(error, signal)));
    rest -= answer.body.length;
    return answer;
  };
  const load = async (url: URL): Promise<JsonObject> => {
    const { status, body } = await fetch(url);
    if (status !== 200) throw new SpecificationError('FETCH_ERROR', `The server answered ${status}.`);
    return parseFile(body.toString(), url.href);
  };
  if (spec.source_url === null) {
    const root = parseFile(spec.source_text ?? '', 'The text');
    requireSpecification(root);
    return { ...(await bundle(root, undefined, load)), etag: null, lastModified: null };
  }
  const conditions = {
    ...(spec.etag !== null && { 'if-none-match': spec.etag }),
    ...(spec.last_modified !== null && { 'if-modified-since': spec.last_modified }),
  };
  const { status, headers, body, url } = await fetch(spec.source_url, conditions);
  if (status === 304 && Object.keys(conditions).length > 0) return undefined;
  if (status !== 200)
    throw new SpecificationError('FETCH_ERROR', `The server of the URL answered ${status}.`);
  const root = parseFile(body.toString(), 'The response of the URL');
  requireSpecification(root);
  const bundled = await bundle(root, new URL(url), load);
  // A file that it refers to may change when the first does not.
  const isConditional = !('x-ext' in bundled.document);
  return {
    ...bundled,
    etag: (isConditional && headers['etag']) || null,
    lastModified: (isConditional && headers['last-modified']) || null,
  };
}

const ACCEPT = 'application/json, application/yaml, text/yaml, application/vnd.oai.openapi, */*;q=0.5';

function fetchError(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted)
    return new SpecificationError('FETCH_TIMEOUT', 'The files of the specification were not read in time.');
  if (!(error instanceof OutboundError)) return error;
  return new SpecificationError(error.reason === 'timeout' ? 'FETCH_TIMEOUT' : 'FETCH_ERROR', error.message);
}
