import {
  plainText,
  plainTextNode,
  type JSONDocument,
  type TextNode,
} from '../../../content-engine/document/index.ts';
import { readableDocument } from '../../../content-engine/evaluation/index.ts';
import { shorten } from '../../../content-engine/shorten.ts';
import type { ContentRef } from '../../../content-engine/tree/index.ts';

/** A comment that mentions a thousand people tells the first of them. */
const MAX_MENTIONS = 50;
/** Of a comment, as Markdown: more than an excerpt shows. */
const MAX_READ = 4000;

interface Mention {
  readonly type: 'mention';
  readonly data: { readonly ref: ContentRef };
}

const isMention = (value: unknown): value is Mention =>
  typeof value === 'object' &&
  value !== null &&
  'type' in value &&
  value.type === 'mention' &&
  'data' in value;

/** The part of a comment that an excerpt may show. */
export const beginningOf = (markdown: string): string => markdown.slice(0, MAX_READ);

/** The users whom a comment mentions, in the order of its text. Links to users are no mentions. */
export function mentionedUsers(markdown: string): string[] {
  // Most comments have no mention, and need not be parsed.
  if (!/mention/i.test(markdown)) return [];
  const users = new Set<string>();
  replaceMentions(readableDocument(markdown), ({ data: { ref } }) => {
    if (ref.kind === 'user' && users.size < MAX_MENTIONS) users.add(ref.user);
  });
  return [...users];
}

/** The beginning of a comment as plain text. `nameOf`: of the users whom the recipient may know. */
export function excerptOf(
  markdown: string,
  length: number,
  nameOf: (userId: string) => string | undefined,
): string {
  const document = replaceMentions(readableDocument(beginningOf(markdown)), ({ data: { ref } }) =>
    plainTextNode(ref.kind === 'user' ? `@${nameOf(ref.user) ?? 'someone'}` : `(${ref.kind})`),
  );
  return shorten(readableLines(plainText(document)), length);
}

/** A copy of the document; calls `replace` in the order of the text. */
const replaceMentions = (
  document: JSONDocument,
  replace: (mention: Mention) => TextNode | void,
): JSONDocument =>
  JSON.parse(JSON.stringify(document), (_name, value: unknown) =>
    isMention(value) ? (replace(value) ?? value) : value,
  ) as JSONDocument;

/** Control characters, and those that reverse the direction of what follows: text of users may not look like ours. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\u2028\u2029\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]+/gu;

/** A name or title of a user, on one line. */
export const oneLine = (text: string, length = 100): string =>
  shorten(text.replaceAll(UNPRINTABLE, ' ').replaceAll(/\s+/g, ' ').trim(), length);

const readableLines = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.replaceAll(UNPRINTABLE, ' ').trim())
    .filter((line) => line !== '')
    .join('\n');
