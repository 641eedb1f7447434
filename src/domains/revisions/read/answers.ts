import { LRUCache } from 'lru-cache';
import { requireSendable } from '../../../platform/api/answer-size.ts';
import { etagOf } from '../../../platform/api/etag.ts';
import { Encoded } from '../../../platform/api/operation.ts';

/** Answers about revisions, which are immutable: entries are never invalidated. */
export type RevisionAnswerCache = LRUCache<string, Encoded>;

export const createRevisionAnswerCache = (): RevisionAnswerCache =>
  new LRUCache({
    maxSize: 32 * 1024 * 1024,
    // One huge page must not displace all others.
    maxEntrySize: 8 * 1024 * 1024,
    sizeCalculation: ({ body }) => body.byteLength + 256,
  });

declare module '../../../platform/api/context.ts' {
  interface Caches {
    readonly revisionAnswers: RevisionAnswerCache;
  }
}

/** An answer, and the version that its ETag begins with. */
export interface Answered {
  readonly version: string;
  readonly value: object;
  /** A member of the value that is JSON already. */
  readonly encoded?: { readonly name: string; readonly json: Uint8Array };
}

/** The cached answer under a key that covers all its inputs; otherwise `make` creates it. */
export async function answered(
  cache: RevisionAnswerCache,
  key: string,
  make: () => Promise<Answered>,
): Promise<Encoded> {
  const cached = cache.get(key);
  if (cached) return cached;
  const { version, value, encoded } = await make();
  requireSendable(value);
  const body = Buffer.from(JSON.stringify(value));
  return store(cache, key, version, encoded ? withMember(body, encoded) : body);
}

/** The same for an answer that is JSON already. */
export async function answeredJson(
  cache: RevisionAnswerCache,
  key: string,
  make: () => Promise<{ readonly version: string; readonly json: Uint8Array }>,
): Promise<Encoded> {
  const cached = cache.get(key);
  if (cached) return cached;
  const { version, json } = await make();
  return store(cache, key, version, Buffer.from(json.buffer, json.byteOffset, json.byteLength));
}

/** Adds a member to encoded JSON: joining bytes is cheaper than parsing them. */
const withMember = (object: Buffer, { name, json }: { name: string; json: Uint8Array }): Buffer =>
  Buffer.concat([object.subarray(0, -1), Buffer.from(`,${JSON.stringify(name)}:`), json, Buffer.from('}')]);

function store(cache: RevisionAnswerCache, key: string, version: string, body: Buffer): Encoded {
  const answer = new Encoded(body, etagOf(version, body));
  cache.set(key, answer);
  return answer;
}
