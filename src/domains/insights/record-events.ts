import { badRequest } from '../../platform/api/errors.ts';
import type { Event } from './schema.ts';
import { recordFeedback, recordView, type InsightsBuffer } from './record.ts';

const TOLERANCE_MS = 5 * 60 * 1000;

interface EventContext {
  readonly buffer: InsightsBuffer;
  readonly siteId: string;
  /** The space of a site space of the request. */
  spaceOf(siteSpaceId: string): string;
  readonly now: Date;
}

const refused = (path: string, rule: string) => badRequest(`${path} ${rule}.`, [{ path, rule }]);

/** Checks all events before the first one is counted. Events of other types are accepted and not stored. */
export function recordEvents(events: readonly Event[], context: EventContext): void {
  const counted = events.map((event, index) => prepared(event, `body.events[${index}]`, context));
  for (const count of counted) count?.();
}

function prepared(event: Event, path: string, context: EventContext): (() => void) | undefined {
  const { buffer, siteId, spaceOf, now } = context;
  const moment = event.timestamp === undefined ? now : new Date(event.timestamp);
  if (Math.abs(moment.getTime() - now.getTime()) > TOLERANCE_MS)
    throw refused(`${path}.timestamp`, 'must be within five minutes of now');
  const isFeedback = event.type === 'page_post_feedback' || event.type === 'page_post_feedback_comment';
  if (isFeedback && !event.feedback) throw refused(`${path}.feedback`, 'is required');
  if (event.type === 'page_post_feedback_comment' && event.feedback?.comment === undefined)
    throw refused(`${path}.feedback.comment`, 'is required');
  const { siteSpace, page } = event.location;
  if (!siteSpace || !page) return undefined;
  const place = { siteId, spaceId: spaceOf(siteSpace), pageId: page };
  if (event.type === 'page_view') return () => recordView(buffer, place, moment);
  const { feedback } = event;
  if (!isFeedback || !feedback) return undefined;
  const comment = event.type === 'page_post_feedback' ? undefined : feedback.comment;
  return () => recordFeedback(buffer, { ...place, rating: feedback.rating, comment }, moment);
}
