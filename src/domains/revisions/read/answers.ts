import { LRUCache } from 'lru-cache';
import { requireSendable } from '../../../platform/api/answer-size.ts';
import { etagOf } from '../../../platform/api/etag.ts';
import { Encoded } from '../../../platform/api/operation.ts';

/** Answers out of revisions, which never change: kept until there is no room. */
const kept = new LRUCache<string, Encoded>({
  maxSize: 32 * 1024 * 1024,
  // One page that is many times as large as others must not take the place of all of them.
  maxEntrySize: 8 * 1024 * 1024,
  sizeCalculation: ({ body }) => body.byteLength + 256,
});

/** An answer, and the version that its ETag begins with. */
export interface Answered {
  readonly version: string;
  readonly value: object;
  /** A member of the value that is JSON already. */
  readonly encoded?: { readonly name: string; readonly json: Uint8Array };
}

/** The cached answer under a key that covers all its inputs; otherwise `make` creates it. */
export async function answered(key: string, make: () => Promise<Answered>): Promise<Encoded> {
  const there = kept.get(key);
  if (there) return there;
  const { version, value, encoded } = await make();
  requireSendable(value);
  const body = Buffer.from(JSON.stringify(value));
  return keep(key, version, encoded ? withMember(body, encoded) : body);
}

/** The same for an answer that is JSON already. */
export async function answeredJson(
  key: string,
  make: () => Promise<{ readonly version: string; readonly json: Uint8Array }>,
): Promise<Encoded> {
  const there = kept.get(key);
  if (there) return there;
  const { version, json } = await make();
  return keep(key, version, Buffer.from(json.buffer, json.byteOffset, json.byteLength));
}

/** Adds a member to encoded JSON: joining bytes is cheaper than parsing them. */
const withMember = (object: Buffer, { name, json }: { name: string; json: Uint8Array }): Buffer =>
  Buffer.concat([object.subarray(0, -1), Buffer.from(`,${JSON.stringify(name)}:`), json, Buffer.from('}')]);

function keep(key: string, version: string, body: Buffer): Encoded {
  const answer = new Encoded(body, etagOf(version, body));
  kept.set(key, answer);
  return answer;
}
