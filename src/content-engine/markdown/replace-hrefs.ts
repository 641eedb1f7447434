import type { Href } from '../document/index.ts';
import { escapeAmpersands } from './scan/syntax/entities.ts';

/** Replaces the addresses at the given ranges. All other bytes stay. */
export function replaceHrefs(
  body: string,
  replacements: readonly Pick<Href, 'start' | 'end' | 'href'>[],
): string {
  const pieces: string[] = [];
  let at = 0;
  for (const { start, end, href } of replacements.toSorted((one, other) => one.start - other.start)) {
    if (start < at || end < start || end > body.length) continue;
    pieces.push(body.slice(at, start), spelled(body, start, href));
    at = end;
  }
  pieces.push(body.slice(at));
  return pieces.join('');
}

/** An address escaped for its place: in quotes, in angle brackets, or bare. */
function spelled(body: string, start: number, href: string): string {
  const before = body[start - 1];
  if (before === '"' || before === "'") {
    return escapeAmpersands(href).replace(
      /["'<>\n\r]|%(?=\})|\{(?=%)/g,
      (char) => `&#x${char.charCodeAt(0).toString(16)};`,
    );
  }
  if (before === '<') {
    const escaped = href.replace(/[\n\r<>\\]/g, (char) => encodeURIComponent(char));
    // An autolink has no parenthesis before it, and must not contain blanks.
    return /[(:]\s*$/.test(body.slice(Math.max(0, start - 3), start - 1))
      ? escaped
      : escaped.replace(/\s/g, '%20');
  }
  return bareDestination(href);
}

/** A destination without angle brackets: no blanks, and parentheses only in pairs. */
const bareDestination = (href: string): string =>
  escapeAmpersands(
    href
      .replace(/[\0-\x20\x7f<]/g, (char) => encodeURIComponent(char))
      .replace(/[()\\]/g, (char) => `\\${char}`),
  );
