import type { Context } from '../context.ts';
import { hrefAttributes } from './links.ts';
import { element, type HtmlNode } from '../node.ts';

/**
 * Addresses in text, linked by the rules of GitHub Flavored Markdown. This is done when a document is shown: it remains
 * text in the document and in the Markdown.
 */

/** Each alternative begins at a boundary only, so that a text is scanned once. */
const CANDIDATE =
  /(?<=^|[\s*_~(])(?:https?:\/\/|www\.)[^\s<]+|(?<![a-zA-Z0-9._+-])[a-zA-Z0-9._+-]+@[a-zA-Z0-9_-]+(?:\.[a-zA-Z0-9_-]+)+/g;

/** A shorter text cannot contain an address, and most texts contain none of these. */
const HINT = /:\/\/|www\.|@/;

/** The limit for one text. Links are made in one step, and a paragraph can consist of 190,000 addresses. */
const MAX_LINKS = 2000;

export function autolinked(context: Context, text: string): HtmlNode {
  if (context.isInteractive || !HINT.test(text)) return text;
  const nodes: HtmlNode[] = [];
  let at = 0;
  for (const { 0: found, index } of text.matchAll(CANDIDATE)) {
    const link = linkIn(found);
    const attributes = link && hrefAttributes(context, link.href);
    if (!attributes) continue;
    nodes.push(text.slice(at, index), element('a', attributes, link.text));
    at = index + link.text.length;
    if (nodes.length >= 2 * MAX_LINKS) break;
  }
  return at === 0 ? text : [...nodes, text.slice(at)];
}

function linkIn(found: string): { text: string; href: string } | undefined {
  const url = /^(?:https?:\/\/|www\.)/.exec(found);
  if (!url) return emailIn(found);
  const text = withoutPunctuation(found);
  const isWeb = url[0] === 'www.';
  const domain = /^[^/?#:]*/.exec(isWeb ? text : text.slice(url[0].length))?.[0] ?? '';
  if (!isDomain(domain)) return undefined;
  return { text, href: isWeb ? `http://${text}` : text };
}

const emailIn = (found: string): { text: string; href: string } | undefined =>
  /[-_]$/.test(found) ? undefined : { text: found, href: `mailto:${found}` };

function isDomain(domain: string): boolean {
  const labels = domain.split('.');
  return (
    labels.length > 1 &&
    labels.every((label) => /^[\p{L}\p{N}_-]+$/u.test(label)) &&
    labels.slice(-2).every((label) => !label.includes('_'))
  );
}

/** Punctuation at the end belongs to the sentence, as does a parenthesis that the address does not open. */
function withoutPunctuation(found: string): string {
  let opened = found.split('(').length - found.split(')').length;
  let end = found.length;
  for (;;) {
    const last = found[end - 1] ?? '';
    if (last === ')' && opened < 0) opened++;
    else if (last === ';') {
      // A character reference at the end is not part of the address.
      const reference = /&[a-zA-Z0-9]+;$/.exec(found.slice(Math.max(0, end - 40), end));
      if (!reference) return found.slice(0, end);
      end -= reference[0].length - 1;
    } else if (!/[?!.,:*_~'"]/.test(last)) return found.slice(0, end);
    end--;
  }
}
