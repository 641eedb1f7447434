import { findByPath, type DocumentPage, type GroupPage } from '../../content-engine/tree/index.ts';
import type { SiteAddresses } from './addresses.ts';
import { decodeSegment } from '../../domains/redirects/index.ts';
import { findFormer } from './former-address.ts';
import type { OpenSpace } from './pages/open-space.ts';
import type { ReadContext } from './published-site.ts';
import { MAX_PAGE_PATH } from './pages/readable-pages.ts';
import type { SiteReader } from './site-reader.ts';
import { placesOf } from './places.ts';
import type { SiteSpaceColumns } from './store.ts';

export interface LocatedPage {
  readonly kind: 'page';
  readonly space: OpenSpace;
  readonly page: DocumentPage;
  readonly format: 'html' | 'markdown';
}

/** The result for a path of a site and a visitor. */
export type Located =
  | LocatedPage
  | { readonly kind: 'redirect'; readonly href: string }
  /** The site space in which it is missing, for the navigation beside the message. */
  | { readonly kind: 'missing'; readonly siteSpace: SiteSpaceColumns | undefined };

/** Longer paths are of no page. A section and a site space come before the path of a page. */
const MAX_PATH = 3 * MAX_PAGE_PATH;

/** `path` is below the site, with a leading slash, as it was sent. */
export async function locate(
  ctx: ReadContext,
  reader: SiteReader,
  addresses: SiteAddresses,
  path: string,
): Promise<Located> {
  const segments = segmentsOf(withoutPreview(path, addresses));
  if (!segments) return { kind: 'missing', siteSpace: undefined };
  const found = await findPage(reader, segments);
  if (found) {
    const href = hrefOf(addresses, found);
    return isSamePath(addresses.basePath + path, href) ? found : { kind: 'redirect', href };
  }
  if (segments.length === 0) {
    // The default section or variant is hidden from this visitor, or has no page.
    const href = await firstReadable(reader, addresses);
    if (href !== undefined) return { kind: 'redirect', href };
  }
  const places = placesOf(reader, segments);
  const former = await findFormer(ctx, reader, addresses, segments, places);
  if (former !== undefined) return { kind: 'redirect', href: former };
  return { kind: 'missing', siteSpace: places[0]?.siteSpace ?? reader.siteSpaces[0] };
}

const hrefOf = (addresses: SiteAddresses, { space, page, format }: LocatedPage): string =>
  format === 'html' ? addresses.page(space, page.id) : addresses.markdown(space, page.id);

/** The path that the page has without the preview. */
const withoutPreview = (path: string, { preview }: SiteAddresses): string =>
  preview && preview.segments.length > 0 ? path.replace(`/${preview.segments.join('/')}`, '') : path;

/** The decoded segments; undefined where no page can have the path. */
function segmentsOf(path: string): string[] | undefined {
  if (path.length > MAX_PATH) return undefined;
  const segments = path.split('/').filter(Boolean).map(decodeSegment);
  return segments.every((segment) => segment !== undefined && segment !== '.' && segment !== '..')
    ? (segments as string[])
    : undefined;
}

/** The path with percent-encoding as in hrefs: a client cannot spell one path in many ways. */
export const canonicalPath = (path: string): string =>
  path
    .split('/')
    .map((segment) => encodeURIComponent(decodeSegment(segment) ?? segment))
    .join('/');

/** Percent-encoding may differ: browsers and proxies change it, which must not redirect for ever. */
const isSamePath = (sent: string, href: string): boolean =>
  sent === href ||
  sent.split('/').map(decodeSegment).join('/') === href.split('/').map(decodeSegment).join('/');

async function findPage(reader: SiteReader, segments: readonly string[]): Promise<LocatedPage | undefined> {
  for (const { siteSpace, rest } of placesOf(reader, segments)) {
    const space = await reader.open(siteSpace);
    const page = pageAt(space, rest);
    if (page) return { kind: 'page', space, page, format: 'html' };
    const markdown = markdownPath(space, rest);
    const source = markdown && pageAt(space, markdown);
    if (source) return { kind: 'page', space, page: source, format: 'markdown' };
  }
  return undefined;
}

/** The page at a path. That of a group is its first page. */
export function pageAt(space: OpenSpace, segments: readonly string[]): DocumentPage | undefined {
  const { pages } = space;
  if (segments.length === 0) return pages.documents[0];
  const page: DocumentPage | GroupPage | undefined = findByPath(space.tree, segments.join('/'));
  if (!page || !pages.mayRead(page.id)) return undefined;
  return page.type === 'document' ? page : pages.firstBelow(page.id);
}

/** The path without `.md` at its end. `index.md` of a page is its own text, unless there is a page below it with that name. */
function markdownPath(space: OpenSpace, segments: readonly string[]): readonly string[] | undefined {
  const last = segments.at(-1) ?? '';
  const above = segments.slice(0, -1);
  if (last.toLowerCase() === 'index.md' && !pageAt(space, [...above, 'index'])) return above;
  if (!last.toLowerCase().endsWith('.md') || last.length === 3) return undefined;
  return [...segments.slice(0, -1), last.slice(0, -3)];
}

/** The address of the first space that has a page for this visitor. */
async function firstReadable(reader: SiteReader, addresses: SiteAddresses): Promise<string | undefined> {
  for (const siteSpace of reader.siteSpaces) {
    const space = await reader.open(siteSpace);
    if (space.pages.documents.length > 0) return addresses.space(siteSpace);
  }
  return undefined;
}
