import { sizeOfText } from '../../content-engine/size-of-text.ts';
import { LRUCache } from 'lru-cache';
import type { Hash, Load } from '../../content-engine/map/index.ts';
import type { BodyFacts } from '../link-index/index.ts';
import { pauseBetweenSlices } from '../../platform/threads/slices.ts';
import type { Analyses } from './analyse-changed.ts';
import type { Engine } from './engine.ts';
import type { WithBody } from './read/bodies.ts';
import { nameOf } from './read/render.ts';
import { readText, type StorageContext } from './storage/objects.ts';

/**
 * By the hash of the body: entries are never invalidated. They are JSON, because a string that is cut from a body keeps
 * all of the body in memory.
 */
export type BodyFactsCache = LRUCache<Hash, string>;

export const createBodyFactsCache = (): BodyFactsCache =>
  new LRUCache({ maxSize: 8 * 1024 * 1024, sizeCalculation: ({ length }) => length + 256 });

declare module '../../platform/api/context.ts' {
  interface Caches {
    readonly bodyFacts: BodyFactsCache;
  }
}

/** For bodies that were analysed anyway, and whose links are likely to be needed soon. */
export async function cacheFacts({ caches }: StorageContext, analyses: Analyses): Promise<void> {
  const pause = pauseBetweenSlices();
  for (const [hash, analysis] of analyses) {
    caches.bodyFacts.set(hash, textOf(analysis));
    await pause();
  }
}

/** Undefined: the body would have to be parsed. */
export function cachedFacts({ caches }: StorageContext, document: Hash): BodyFacts | undefined {
  const cached = caches.bodyFacts.get(document);
  return cached === undefined ? undefined : (JSON.parse(cached) as BodyFacts);
}

const textOf = ({ hrefs, dependencies, anchors }: BodyFacts): string =>
  JSON.stringify({ hrefs, dependencies, anchors });

/** The links and anchors of a body. */
export async function factsOf(
  ctx: StorageContext,
  engine: Engine,
  load: Load,
  record: WithBody,
): Promise<BodyFacts> {
  const { document } = record;
  const cached = cachedFacts(ctx, document);
  if (cached) return cached;
  const text = await readText(load, document);
  const work = { size: sizeOfText(text), what: nameOf(record) };
  const facts = await engine.run('analyseBody', text, work);
  ctx.caches.bodyFacts.set(document, textOf(facts));
  return facts;
}
