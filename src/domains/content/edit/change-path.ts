import { shorten } from '../../../content-engine/shorten.ts';
import type { Change } from './batch.ts';

/** The length of a title in a message. */
const MAX_TITLE = 100;

/** A path in the request, for a message: with the title of the change, if it has one. */
export function describePath(path: string, change: Change | undefined): string {
  const title = change && 'title' in change ? change.title : undefined;
  return title ? `${path} ("${shorten(title, MAX_TITLE)}")` : path;
}

/** The body of a change: `body.changes.1.document ("Setup")`. */
export const describeBody = (changes: readonly Change[], index: number): string =>
  describePath(`body.changes.${index}.document`, changes[index]);
