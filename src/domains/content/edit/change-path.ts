import type { Change } from './batch.ts';

/** Of a title that a message names. */
const MAX_TITLE = 100;

/** A path in the request, for a message: with the title of the change, if it has one. */
export function describePath(path: string, change: Change | undefined): string {
  const title = change && 'title' in change ? change.title : undefined;
  return title ? `${path} ("${shortened(title)}")` : path;
}

const shortened = (title: string): string =>
  title.length > MAX_TITLE ? `${title.slice(0, MAX_TITLE).replace(/\p{Cs}$/u, '')}…` : title;

/** The body of a change: `body.changes.1.document ("Setup")`. */
export const describeBody = (changes: readonly Change[], index: number): string =>
  describePath(`body.changes.${index}.document`, changes[index]);
