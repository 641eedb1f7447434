import { sizeOfText } from '../../content-engine/size-of-text.ts';
import { LRUCache } from 'lru-cache';
import type { Hash, Load } from '../../content-engine/map/index.ts';
import { analyseBody, type BodyAnalysis } from '../../content-engine/markdown/index.ts';
import type { BodyFacts } from '../link-index/index.ts';
import { requireSmall } from '../../platform/api/too-large-here.ts';
import { runTask } from './run-task.ts';
import { nameOf, type WithBody } from './bodies.ts';
import { readText, type StorageContext } from './objects.ts';

/** Analyses of bodies, by their hashes. */
export type Analyses = ReadonlyMap<Hash, BodyAnalysis>;

/**
 * Keys are the hashes of bodies: entries are never invalidated. They are JSON, because a string that is cut from a body keeps
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

/** Caches the facts of bodies that were analysed anyway: their links are likely to be needed soon. */
export function cacheFacts({ caches }: StorageContext, analyses: Analyses): void {
  for (const [hash, analysis] of analyses) caches.bodyFacts.set(hash, textOf(analysis));
}

/** Undefined: the body would have to be parsed. */
export function cachedFacts({ caches }: StorageContext, document: Hash): BodyFacts | undefined {
  const cached = caches.bodyFacts.get(document);
  return cached === undefined ? undefined : (JSON.parse(cached) as BodyFacts);
}

const textOf = ({ hrefs, dependencies, specs, anchors }: BodyFacts): string =>
  JSON.stringify({ hrefs, dependencies, specs, anchors });

/** Reads the links and anchors of bodies one by one. The bodies that are parsed must be small together. */
export function factsReader(ctx: StorageContext, load: Load): (record: WithBody) => Promise<BodyFacts> {
  let total = 0;
  return async (record) => {
    const { document } = record;
    const cached = cachedFacts(ctx, document);
    if (cached) return cached;
    const text = await readText(load, document);
    const work = { size: sizeOfText(text), what: nameOf(record) };
    total += work.size;
    requireSmall(ctx, 'text', total);
    const facts = runTask(ctx, work, () => analyseBody(text));
    ctx.caches.bodyFacts.set(document, textOf(facts));
    return facts;
  };
}
