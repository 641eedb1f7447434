import { normaliseUrl } from '../../../../content-engine/html/index.ts';
import { decode } from '../../../../content-engine/links/index.ts';
import { foldPath, portablePath } from '../../../../content-engine/tree/index.ts';

/** The part of a website that is imported: one page or folder, and everything below it. */
export interface Scope {
  /** The identity of that page or folder. */
  readonly root: string;
  /** Whether a URL with this identity is in scope. */
  contains(identity: string): boolean;
  /** The path of the Markdown file for a page in scope, by its identity. */
  pathOf(identity: string): string;
}

/** Extensions of pages: their URL names a file in a folder. Without one, it may have pages below it. */
const PAGE_EXTENSION = /\.(?:x?html?|md|markdown|php|aspx?|jsp)$/i;

/** `/docs/` and `/docs/intro.html` import everything below `/docs/`; `/docs/intro` imports what is below itself. */
export function scopeOf(start: URL): Scope {
  const top = new URL(start);
  top.search = '';
  if (PAGE_EXTENSION.test(top.pathname))
    top.pathname = top.pathname.slice(0, top.pathname.lastIndexOf('/') + 1);
  const root = normaliseUrl(top) ?? top.origin;
  return {
    root,
    contains: (identity) => identity === root || identity.startsWith(`${root}/`),
    pathOf: (identity) => filePath(segmentsBelow(root, identity)),
  };
}

/** The names between the root and a page. MediaWiki may have the name of a page in its query. */
function segmentsBelow(root: string, identity: string): string[] {
  const title = titleInQuery(new URL(identity));
  if (title !== undefined) return title.split('/');
  const [path = ''] = identity.slice(root.length).split('?');
  // An encoded slash is no separator.
  return path.split('/').map((segment) => decode(segment).replaceAll('/', '-'));
}

/** The page of `index.php?title=…`, if it has no other parameter. */
export function titleInQuery({ pathname, searchParams }: URL): string | undefined {
  const title = pathname.endsWith('/index.php') && searchParams.size === 1 && searchParams.get('title');
  return title || undefined;
}

/** Hidden names are settings of folders, and so is SUMMARY.md. */
function filePath(segments: readonly string[]): string {
  const names = segments.map((segment) => segment.replace(/^[.\s]+/, '')).filter((name) => name !== '');
  if (names.length === 0) return 'README.md';
  const path = `${portablePath(names.join('/').replace(PAGE_EXTENSION, ''))}.md`;
  return foldPath(path) === 'summary.md' ? 'summary-page.md' : path;
}
