import { LRUCache } from 'lru-cache';
import { requireSendable } from '../../platform/answer-size.ts';
import { etagOf } from '../../platform/etag.ts';
import { Encoded } from '../../platform/operation.ts';

/** Answers out of revisions, which never change: kept until there is no room. */
const kept = new LRUCache<string, Encoded>({
  maxSize: 32 * 1024 * 1024,
  sizeCalculation: ({ body }) => body.byteLength + 256,
});

/** The answer under a key that says all it is made of; `make` gives it, and the version that its ETag begins with. */
export async function answered(
  key: string,
  make: () => Promise<{ readonly version: string; readonly value: unknown }>,
): Promise<Encoded> {
  const there = kept.get(key);
  if (there) return there;
  const { version, value } = await make();
  requireSendable(value);
  const body = Buffer.from(JSON.stringify(value));
  const answer = new Encoded(body, etagOf(version, body));
  kept.set(key, answer);
  return answer;
}
