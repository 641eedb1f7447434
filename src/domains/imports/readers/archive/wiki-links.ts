import { urlOf } from './archive-job.ts';

const IMAGE = /\.(?:png|jpe?g|gif|svg|webp|avif|bmp)$/i;

/** The line that opens or closes a block of code, code in a line, or a link. */
const TOKEN = /^ {0,3}(`{3,}(?!`)|~{3,}(?!~)).*$|`[^`\n]*`|\[\[([^[\]\n]{1,500})\]\]/gm;

/** Characters that the URLs of links add to a page. Further links stay as they are. */
const MAX_ADDED = 2_000_000;

/**
 * `[[Page]]`, `[[Text|Page]]` and `[[image.png|alt=Text]]` as Markdown, outside of code. `find`: the path of an entry by
 * the name of a page; links to others are left as text.
 */
export function replaceWikiLinks(text: string, find: (name: string) => string | undefined): string {
  if (!text.includes('[[')) return text;
  const parts: string[] = [];
  let [fence, room, at] = ['', MAX_ADDED, 0];
  for (const { 0: all, 1: mark, 2: inside, index } of text.matchAll(TOKEN)) {
    if (mark !== undefined) fence = fence === '' ? mark : mark.startsWith(fence) ? '' : fence;
    else if (inside !== undefined && fence === '' && room > 0) {
      const markdown = markdownOf(inside, find);
      room -= markdown.length - all.length;
      parts.push(text.slice(at, index), markdown);
      at = index + all.length;
    }
  }
  return parts.join('') + text.slice(at);
}

function markdownOf(inside: string, find: (name: string) => string | undefined): string {
  const [first = '', ...rest] = inside.split('|').map((part) => part.trim());
  if (IMAGE.test(first)) {
    const alt = rest.find((option) => option.startsWith('alt='))?.slice('alt='.length) ?? '';
    return `![${alt}](${hrefOf(first.replace(/^\/+/, ''))})`;
  }
  const [name = '', anchor] = (rest[0] ?? first).split('#');
  const target = name === '' ? '' : find(name);
  if (target === undefined) return /^https?:/.test(name) ? `[${first}](${rest[0] ?? first})` : first;
  return `[${first}](${target === '' ? '' : hrefOf(target)}${anchor === undefined ? '' : `#${anchor}`})`;
}

/** The URL of an entry, which becomes a relative path in the end. Parentheses would end the link. */
const hrefOf = (path: string): string => urlOf(path).replaceAll('(', '%28').replaceAll(')', '%29');
