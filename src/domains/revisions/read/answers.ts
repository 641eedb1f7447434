import { LRUCache } from 'lru-cache';
import { etagOf } from '../../../platform/api/etag.ts';
import { Encoded } from '../../../platform/api/operation.ts';

/** Answers about revisions, which are immutable: entries are never invalidated. */
export type RevisionAnswerCache = LRUCache<string, Encoded>;

export const createRevisionAnswerCache = (): RevisionAnswerCache =>
  new LRUCache({
    maxSize: 32 * 1024 * 1024,
    // One huge page must not displace all others.
    maxEntrySize: 8 * 1024 * 1024,
    // Keys contain the query of the client.
    sizeCalculation: ({ body }, key) => body.byteLength + key.length + 256,
  });

declare module '../../../platform/api/context.ts' {
  interface Caches {
    readonly revisionAnswers: RevisionAnswerCache;
  }
}

/** An answer as JSON, and its ETag, or the version that it begins with. */
export type Answered = { readonly json: Uint8Array } & (
  | { readonly version: string }
  | { readonly etag: string }
);

/** The cached answer under a key that covers all its inputs; otherwise `make` creates it. */
export async function answered(
  cache: RevisionAnswerCache,
  key: string,
  make: () => Promise<Answered>,
): Promise<Encoded> {
  const cached = cache.get(key);
  if (cached) return cached;
  const made = await make();
  const body = Buffer.from(made.json.buffer, made.json.byteOffset, made.json.byteLength);
  const answer = new Encoded(body, 'etag' in made ? made.etag : etagOf(made.version, body));
  cache.set(key, answer);
  return answer;
}

export const jsonOf = (value: object | string): Buffer => Buffer.from(JSON.stringify(value));

/** Adds a member to encoded JSON: joining bytes is cheaper than parsing them. */
export const withMember = (object: Buffer, name: string, json: Uint8Array): Buffer =>
  Buffer.concat([object.subarray(0, -1), Buffer.from(`,${JSON.stringify(name)}:`), json, Buffer.from('}')]);
