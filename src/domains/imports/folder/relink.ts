import {
  decode,
  directoryOf,
  encodePath,
  hrefReplacements,
  isExternal,
  joinPath,
  parseHref,
  relativePath,
} from '../../../content-engine/links/index.ts';
import type { Href } from '../../../content-engine/document/index.ts';
import type { PageAnalysis } from '../../../content-engine/html/index.ts';
import { rewriteHrefs } from '../../../content-engine/markdown/index.ts';

/** The imported resources, as links find them. */
export interface Targets {
  readonly pathOf: (url: string) => string | undefined;
  /** The anchor of an id of the original page. Empty: the page has no place for it. */
  readonly anchorOf: (path: string, id: string) => string;
}

/**
 * New spellings of the links of a page that lead to imported resources: href → relative path with its fragment. A
 * relative link that leads there already keeps its spelling, so that Markdown is imported unchanged.
 */
export function linksOf(
  path: string,
  base: string,
  hrefs: readonly Pick<Href, 'href'>[],
  { pathOf, anchorOf }: Targets,
): ReadonlyMap<string, string> {
  const links = new Map<string, string>();
  const dir = directoryOf(path);
  for (const { href } of hrefs) {
    if (links.has(href) || href.startsWith('#') || href === '') continue;
    const url = absolute(href, base);
    const target = url && (pathOf(url.href) ?? missingEntry(href, url));
    if (target === undefined || leadsTo(dir, href, target)) continue;
    const fragment = fragmentOf(url?.hash ?? '', (id) => anchorOf(target, id));
    links.set(href, target === path && fragment !== '' ? fragment : spell(dir, target) + fragment);
  }
  return links;
}

function fragmentOf(hash: string, anchorOf: (id: string) => string): string {
  const id = decode(hash.slice(1));
  const anchor = anchorOf(id);
  if (anchor === '') return '';
  return anchor === id ? hash : `#${encodeURIComponent(anchor)}`;
}

/** The domain of the URLs of archive entries, which exists only during an import. */
export const ARCHIVE_HOST = 'archive.invalid';

/** The path of an archive entry that was not imported: a link to it must not lead to the reserved domain. */
function missingEntry(href: string, url: URL): string | undefined {
  const isOfArchive = url.hostname === ARCHIVE_HOST && isExternal(href);
  return isOfArchive ? decode(url.pathname.slice(1)) || 'README.md' : undefined;
}

function absolute(href: string, base: string): URL | undefined {
  const from = base === '' ? undefined : base;
  return URL.canParse(href, from) ? new URL(href, from) : undefined;
}

function leadsTo(dir: string, href: string, target: string): boolean {
  const address = parseHref(href);
  return address !== undefined && joinPath(dir, decode(address.path)) === target;
}

/** A name with a colon would be read as a scheme. */
function spell(dir: string, path: string): string {
  const spelled = encodePath(relativePath(dir, path));
  return isExternal(spelled) ? `./${spelled}` : spelled;
}

/** The body with the new spellings. Of the hrefs of the analysis only the spelling is valid afterwards, not the offsets. */
export function relink(
  body: string,
  analysis: PageAnalysis,
  links: ReadonlyMap<string, string>,
): { readonly body: string; readonly analysis: PageAnalysis } {
  if (links.size === 0) return { body, analysis };
  const hrefs = analysis.hrefs.map((each) => ({ ...each, href: links.get(each.href) ?? each.href }));
  return {
    body: rewriteHrefs(body, hrefReplacements(analysis.hrefs, links)),
    analysis: { ...analysis, hrefs },
  };
}
