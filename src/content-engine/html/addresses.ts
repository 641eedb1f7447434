/** Addresses in a page, resolved against the page. */
export interface Addresses {
  /** The page itself, without fragment. */
  readonly page: string;
  /** An absolute URL; undefined: it cannot be followed (`javascript:`, invalid). */
  resolve(href: string): string | undefined;
  /** The fragment of a link to the page itself. */
  fragmentOf(href: string): string | undefined;
}

const FOLLOWED = new Set(['http:', 'https:', 'mailto:', 'tel:', 'ftp:']);

export function addressesOf(url: string, base: string | undefined): Addresses {
  const page = withoutFragment(new URL(url));
  const start = (base === undefined ? undefined : parsed(base, page)) ?? new URL(page);
  const known = new Map<string, string | undefined>();
  const resolve = (href: string): string | undefined => {
    if (isPlainPath(href) && /^https?:$/.test(start.protocol)) return start.origin + href;
    if (known.has(href)) return known.get(href);
    const found = parsed(href.trim(), start.href);
    const resolved = found && FOLLOWED.has(found.protocol) ? unwrapped(found).href : undefined;
    known.set(href, resolved);
    return resolved;
  };
  return {
    page,
    resolve,
    fragmentOf(href) {
      const text = href.trim();
      const found = text.startsWith('#') ? parsed(text, page) : parsed(text, start.href);
      if (!found || found.hash.length < 2 || withoutFragment(found) !== page) return undefined;
      return decoded(found.hash.slice(1));
    },
  };
}

/** A path from the root that a URL contains as it is written. Sidebars have hundreds, on every page. */
const isPlainPath = (href: string): boolean => /^\/(?!\/)[\w./~-]*$/.test(href) && !href.includes('/.');

/** Documents of Google lead to other sites through a redirect. */
function unwrapped(url: URL): URL {
  const isRedirect = /(?:^|\.)google\.com$/.test(url.hostname) && url.pathname === '/url';
  const target = isRedirect ? url.searchParams.get('q') : null;
  const found = target === null ? undefined : parsed(target, undefined);
  return found && FOLLOWED.has(found.protocol) ? found : url;
}

export function withoutFragment(url: URL): string {
  const { href, hash } = url;
  const end = hash === '' && href.endsWith('#') ? 1 : hash.length;
  return end === 0 ? href : href.slice(0, -end);
}

function parsed(href: string, base: string | undefined): URL | undefined {
  return URL.canParse(href, base) ? new URL(href, base) : undefined;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
