import { newId } from '../../platform/api/ids.ts';
import { DAY_MS, MAX_WAITING } from './limits.ts';
import { normaliseQuery } from './normalise-query.ts';
import type { NewFeedback, PageOfSite, Rating, SearchCount, ViewCount } from './schema.ts';

/** Counts and feedback of readers of this process since the last flush. Nothing in it identifies a reader. */
export class InsightsBuffer {
  readonly views = new Map<string, ViewCount>();
  readonly searches = new Map<string, SearchCount>();
  readonly feedback = new Map<string, NewFeedback>();
  #today = { number: -1, text: '' };

  /** Formatted once per day: it is asked for every view. */
  dayOf(now: Date): string {
    const number = Math.floor(now.getTime() / DAY_MS);
    if (number !== this.#today.number) this.#today = { number, text: now.toISOString().slice(0, 10) };
    return this.#today.text;
  }

  get isEmpty(): boolean {
    return this.views.size === 0 && this.searches.size === 0 && this.feedback.size === 0;
  }
}

declare module '../../platform/api/context.ts' {
  interface Caches {
    readonly insights: InsightsBuffer;
  }
}

/** The entry of a key. Undefined where it is new and the buffer is full. */
function entryOf<T>(entries: Map<string, T>, key: string, create: () => T): T | undefined {
  let entry = entries.get(key);
  if (!entry && entries.size < MAX_WAITING) entries.set(key, (entry = create()));
  return entry;
}

export function recordView(buffer: InsightsBuffer, page: PageOfSite, now: Date): void {
  const { siteId, spaceId, pageId } = page;
  const day = buffer.dayOf(now);
  const create = () => ({ siteId, spaceId, pageId, day, views: 0 });
  const entry = entryOf(buffer.views, `${siteId} ${day} ${spaceId} ${pageId}`, create);
  if (entry) entry.views++;
}

export function recordSearch(
  buffer: InsightsBuffer,
  { siteId, query, hasResult }: { siteId: string; query: string; hasResult: boolean },
  now: Date,
): void {
  const text = normaliseQuery(query);
  const day = buffer.dayOf(now);
  const create = () => ({ siteId, day, query: text, searches: 0, failed: 0 });
  const entry = entryOf(buffer.searches, `${siteId} ${day} ${text}`, create);
  if (!entry) return;
  entry.searches++;
  if (!hasResult) entry.failed++;
}

export function recordFeedback(
  buffer: InsightsBuffer,
  feedback: PageOfSite & { readonly rating: Rating; readonly comment?: string | undefined },
  now: Date,
): void {
  const { siteId, spaceId, pageId, rating, comment } = feedback;
  const id = newId();
  const text =
    comment === undefined
      ? ''
      : [...comment.toWellFormed().replaceAll('\u0000', '').trim()].slice(0, 512).join('');
  const create = () => ({
    siteId,
    spaceId,
    pageId,
    id,
    rating,
    comment: text === '' ? null : text,
    createdAt: now.toISOString(),
  });
  entryOf(buffer.feedback, id, create);
}
