import type { Finder } from '../../scan/syntax/chars.ts';
import { normalLabel } from '../../scan/syntax/labels.ts';
import type { Token } from '../../scan/token.ts';
import { destinationAt, plain, type Destination } from './destination.ts';
import type { Reading } from '../reading.ts';
import type { Span } from '../span.ts';

/** The text of a link or image, in brackets. */
export interface LinkText {
  readonly image: boolean;
  /** Offset behind the opening bracket. */
  readonly at: number;
  /** Contains brackets. */
  readonly nested: boolean;
}

/** Where a link leads; `refer` is the span of the definition that the link refers to. */
export interface Target extends Destination {
  readonly refer?: Span;
}

/** The target of a link whose closing bracket is at `close`: `(destination)`, `[label]`, `[]`, or its text as the label. */
export function targetAt(
  reading: Reading,
  { text, to }: Span,
  finder: Finder,
  link: LinkText,
  close: number,
): Target | undefined {
  if (text.charCodeAt(close + 1) === 40 && close + 1 < to) {
    const found = destinationAt(text, close + 1, to);
    if (found) return found;
  }
  const { definitions } = reading;
  if (definitions.size === 0) return undefined;
  let label = link.nested || close - link.at > 999 ? '' : text.slice(link.at, close);
  let end = close + 1;
  if (text.charCodeAt(end) === 91 && end < to) {
    const labelEnd = finder.next(']', end);
    if (labelEnd >= 0 && labelEnd < to && labelEnd - end < 1000) {
      if (labelEnd > end + 1) label = text.slice(end + 1, labelEnd);
      if (definitions.has(normalLabel(label))) end = labelEnd + 1;
    }
  }
  const definition = label === '' ? undefined : definitions.get(normalLabel(label));
  return definition && targetOf(reading, definition, link.image, end);
}

/** Undefined: the document may not grow further by link references. */
function targetOf(reading: Reading, definition: Token, isImage: boolean, end: number): Target | undefined {
  const { src } = reading;
  const { from, to } = definition;
  // A title is the caption of an image, and not read for a link.
  const length = (isImage ? definition.end : to) - from;
  if (length > reading.referenceText) return undefined;
  reading.referenceText -= length;
  const title = isImage ? titleOf(src, definition) : undefined;
  return {
    from,
    to,
    href: plain(src.slice(from, to)),
    title,
    end,
    refer: { text: src, from, to, map: null },
  };
}

/** The title behind the destination of a definition. */
function titleOf(src: string, { to, end }: Token): string | undefined {
  const title = /^>?\s+["'(](.*)["')]$/s.exec(src.slice(to, end))?.[1];
  return title === undefined ? undefined : plain(title);
}
