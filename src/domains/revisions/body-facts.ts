import { LRUCache } from 'lru-cache';
import type { Hash, Load } from '../../content-engine/map/index.ts';
import type { BodyFacts } from '../link-index/index.ts';
import type { Analyses } from './analyse-changed.ts';
import type { Engine } from './engine.ts';
import type { WithBody } from './read/bodies.ts';
import { nameOf } from './read/render.ts';
import { readText, type StorageContext } from './storage/objects.ts';

/** Entries are never invalidated: a body never changes. */
export type BodyFactsCache = LRUCache<Hash, BodyFacts>;

const sumOf = (texts: readonly string[]): number => texts.reduce((sum, { length }) => sum + length + 32, 0);

export const createBodyFactsCache = (): BodyFactsCache =>
  new LRUCache({
    maxSize: 16 * 1024 * 1024,
    sizeCalculation: ({ hrefs, dependencies, anchors }) =>
      256 + sumOf(hrefs) + sumOf(dependencies) + sumOf(anchors),
  });

declare module '../../platform/api/context.ts' {
  interface Caches {
    readonly bodyFacts: BodyFactsCache;
  }
}

/** For bodies that were analysed anyway, and whose links are likely to be needed soon. */
export function cacheFacts({ caches }: StorageContext, analyses: Analyses): void {
  for (const [hash, { hrefs, dependencies, anchors }] of analyses)
    caches.bodyFacts.set(hash, { hrefs, dependencies, anchors });
}

/** The links and anchors of a body. */
export async function factsOf(
  { caches }: StorageContext,
  engine: Engine,
  load: Load,
  record: WithBody,
): Promise<BodyFacts> {
  const { document } = record;
  const cached = caches.bodyFacts.get(document);
  if (cached) return cached;
  const text = await readText(load, document);
  const work = { size: text.length, what: nameOf(record) };
  const { hrefs, dependencies, anchors } = await engine.run('analyseBody', text, work);
  const facts = { hrefs, dependencies, anchors };
  caches.bodyFacts.set(document, facts);
  return facts;
}
