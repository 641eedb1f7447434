import { findByPath, type DocumentPage, type GroupPage } from '../../content-engine/tree/index.ts';
import type { SiteAddresses } from './addresses.ts';
import { decoded } from './find-site.ts';
import { findFormer } from './former-address.ts';
import type { OpenSpace } from './open-space.ts';
import type { ReadContext } from './published-site.ts';
import { MAX_PAGE_PATH } from './readable-pages.ts';
import type { SiteReader } from './site-reader.ts';
import { placesOf } from './places.ts';
import type { SiteSpaceColumns } from './store.ts';

export interface LocatedPage {
  readonly kind: 'page';
  readonly space: OpenSpace;
  readonly page: DocumentPage;
  readonly format: 'html' | 'markdown';
}

/** What is at a path of a site for a visitor. */
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
  const places = [...placesOf(reader, segments)];
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
  const segments = path.split('/').filter(Boolean).map(decoded);
  return segments.every((segment) => segment !== undefined && segment !== '.' && segment !== '..')
    ? (segments as string[])
    : undefined;
}

/** Percent-encoding may differ: browsers and proxies change it, which must not redirect for ever. */
const isSamePath = (sent: string, href: string): boolean =>
  sent === href || sent.split('/').map(decoded).join('/') === href.split('/').map(decoded).join('/');

async function findPage(reader: SiteReader, segments: readonly string[]): Promise<LocatedPage | undefined> {
  for (const { siteSpace, rest } of placesOf(reader, segments)) {
    const space = await reader.open(siteSpace);
    const page = pageAt(space, rest);
    if (page) return { kind: 'page', space, page, format: 'html' };
    const markdown = markdownPath(rest);
    const source = markdown && pageAt(space, markdown);
    if (source) return { kind: 'page', space, page: source, format: 'markdown' };
  }
  return undefined;
}

/** Of a group, its first page. */
export function pageAt(space: OpenSpace, segments: readonly string[]): DocumentPage | undefined {
  const { pages } = space;
  if (segments.length === 0) return pages.documents[0];
  const page: DocumentPage | GroupPage | undefined = findByPath(space.tree, segments.join('/'));
  if (!page || !pages.mayRead(page.id)) return undefined;
  return page.type === 'document' ? page : pages.firstBelow(page.id);
}

/** The path without `.md` at its end. */
function markdownPath(segments: readonly string[]): readonly string[] | undefined {
  const last = segments.at(-1) ?? '';
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
