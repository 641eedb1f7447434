/** An href to something in the space: a path, and a suffix (query and anchor) that stays when the path changes. */
export interface Address {
  /** As written. Empty: the page itself. */
  readonly path: string;
  readonly suffix: string;
  readonly anchor: string | undefined;
}

/** An href with a scheme or a host. */
const EXTERNAL = /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i;

export const isExternal = (href: string): boolean => EXTERNAL.test(href);

export function parseHref(href: string): Address | undefined {
  if (isExternal(href)) return undefined;
  const end = href.search(/[?#]/);
  const [path, suffix] = end < 0 ? [href, ''] : [href.slice(0, end), href.slice(end)];
  const hash = suffix.indexOf('#');
  const anchor = hash < 0 || hash === suffix.length - 1 ? undefined : decode(suffix.slice(hash + 1));
  return { path, suffix, anchor };
}

/** Decodes percent-encoding. Invalid encoding is returned unchanged. */
export function decode(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Characters that would end the href in Markdown, or are no part of a path. */
const UNSAFE = /[\0-\x20\x7f()<>"\\%#?]/g;

export const encodePath = (path: string): string =>
  path.replace(UNSAFE, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`);

export const directoryOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

/** Resolves a path relative to `dir`. Undefined: it leads out of the folder. */
export function joinPath(dir: string, path: string): string | undefined {
  const parts = dir === '' || path.startsWith('/') ? [] : dir.split('/');
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  return parts.join('/');
}

/** The inverse of `joinPath`. */
export function relativePath(dir: string, path: string): string {
  const from = dir === '' ? [] : dir.split('/');
  const to = path.split('/');
  let common = 0;
  while (common < from.length && common < to.length - 1 && from[common] === to[common]) common++;
  return [...from.slice(common).map(() => '..'), ...to.slice(common)].join('/');
}
