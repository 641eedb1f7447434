import { defaultRef } from '../../content-engine/document/index.ts';
import { sizeOfText } from '../../content-engine/size-of-text.ts';
import {
  expandOpenAPI,
  hasConditions,
  refKey,
  renderMarkdown,
  respellHrefs,
  writeWithHrefs,
  type Body,
} from '../../content-engine/evaluation/index.ts';
import { isExternal } from '../../content-engine/links/index.ts';
import { hrefsOf } from '../../content-engine/markdown/index.ts';
import type { ContentRef, DocumentPage } from '../../content-engine/tree/index.ts';
import { nameOf, readBody, runTaskInTurn } from '../../domains/content-store/index.ts';
import { withCurrentLinks } from '../../domains/revisions/index.ts';
import { requireSmall } from '../../platform/api/too-large-here.ts';
import type { SiteAddresses } from '../read/addresses.ts';
import type { OpenSpace } from '../read/pages/open-space.ts';
import { resolveInOtherSpaces, type Revisions } from '../read/pages/other-spaces.ts';
import { hasIncludes, hasIncludesOrParts } from '../read/pages/read-document.ts';
import { expandedPage, readPage } from '../read/pages/read-page.ts';
import { scopeOf } from '../read/pages/readable-pages.ts';
import { resolverIn } from '../read/pages/repository-links.ts';
import { isMissingPage, resolveRefs, type RefSource, type Refs } from '../read/pages/resolve-refs.ts';
import type { SiteReader } from '../read/site-reader.ts';

export interface PageMarkdown {
  readonly text: string;
  readonly revisions: Revisions;
  readonly files: ReadonlySet<string>;
}

/**
 * A page as Markdown for a visitor: conditions are evaluated, includes are replaced by their content, and links are URLs
 * that work outside of the space.
 */
export async function pageMarkdown(
  reader: SiteReader,
  addresses: SiteAddresses,
  space: OpenSpace,
  page: DocumentPage,
): Promise<PageMarkdown> {
  const reading = { reader, addresses, space, page };
  const { text, ...used } = (await hasIncludesOrParts(space, page))
    ? await withIncludes(reading, true)
    : await asWritten(reading, await readBody(space.load, page));
  const { title, description } = page;
  const head = [`# ${line(title)}`, ...(description ? [line(description)] : [])].join('\n\n');
  return { text: `${head}\n\n${text.trimStart()}`, ...used };
}

/** The Markdown of a page without its title and description. Parts of OpenAPI specifications are blocks, as written. */
export async function bodyMarkdown(
  reader: SiteReader,
  addresses: SiteAddresses,
  space: OpenSpace,
  page: DocumentPage,
): Promise<PageMarkdown> {
  const reading: Reading = { reader, addresses, space, page };
  return (await hasIncludes(space, page))
    ? withIncludes(reading, false)
    : asWritten(reading, await readBody(space.load, page));
}

interface Reading {
  readonly reader: SiteReader;
  readonly addresses: SiteAddresses;
  readonly space: OpenSpace;
  readonly page: DocumentPage;
}

/** The spelling of the author, but for hrefs. */
async function asWritten({ reader, addresses, space, page }: Reading, body: Body): Promise<PageMarkdown> {
  const { tree } = space;
  const current = withCurrentLinks(space, page, body);
  const visit = { scope: scopeOf(tree, page, reader.visitor.claims), deterministicOnly: false };
  const resolve = resolverIn(space, page.id, body.links);
  const work = { size: sizeOfText(current), what: nameOf(page) };
  const evaluated = hasConditions(current)
    ? await runTaskInTurn(space, work, () => renderMarkdown(current, resolve, visit))
    : current;
  const targets = new Map<string, ContentRef>();
  await runTaskInTurn(space, { ...work, size: sizeOfText(evaluated) }, () => {
    for (const { href } of hrefsOf(evaluated))
      if (!targets.has(href)) targets.set(href, resolve({ href }) ?? defaultRef(href, 'link'));
  });
  requireSmall(space, 'items', targets.size);
  const from = { space, pageId: page.id };
  const others = await resolveInOtherSpaces(reader, addresses, from, targets.values());
  const refs = resolveRefs(reader, addresses, from, others.entries);
  const urls = new Map<string, string>();
  const absolute = absoluteFrom(addresses, from);
  for (const [href, target] of targets) {
    const url = urlOf(refs, absolute, target);
    if (url !== undefined && url !== href) urls.set(href, url);
  }
  const text =
    urls.size === 0
      ? evaluated
      : await runTaskInTurn(space, work, () => respellHrefs({ text: evaluated, moved: urls, areUrls: true }));
  const { spaceId, revisionId } = space.siteSpace;
  return { text, revisions: new Map([...others.revisions, [spaceId, revisionId]]), files: refs.files };
}

/** Written from the document: included blocks have no place in the source of the page. */
async function withIncludes(
  { reader, addresses, space, page }: Reading,
  showsParts: boolean,
): Promise<PageMarkdown> {
  const { content, work, references, revisions } = await readPage(reader, space, page);
  requireSmall(space, 'items', references.refs.length);
  const from = { space, pageId: page.id };
  const others = await resolveInOtherSpaces(reader, addresses, from, references.refs);
  const refs = resolveRefs(reader, addresses, from, others.entries);
  const hrefs = new Map<string, string>();
  const absolute = absoluteFrom(addresses, from);
  for (const ref of references.refs) {
    const url = urlOf(refs, absolute, ref);
    if (url !== undefined) hrefs.set(refKey(ref), url);
  }
  const { openapi } = content;
  const text = await runTaskInTurn(space, work, () => {
    const document = expandedPage(content, space);
    const shown = showsParts
      ? expandOpenAPI(document, { partsOf: (block) => openapi?.of(block), pageTitle: page.title })
      : document;
    return writeWithHrefs(shown, hrefs);
  });
  return { text, revisions: new Map([...others.revisions, ...revisions]), files: refs.files };
}

/** The URL of an href of a page. An anchor of the page itself gets the URL of the page: a feed contains several. */
const absoluteFrom =
  (addresses: SiteAddresses, { space, pageId }: RefSource) =>
  (href: string): string =>
    addresses.absolute(href.startsWith('#') ? addresses.page(space, pageId) + href : href);

/** Undefined: the href stays as it is. A target that is missing, or that the visitor may not read, becomes the page itself. */
function urlOf(refs: Refs, absolute: (href: string) => string, ref: ContentRef): string | undefined {
  if (ref.kind === 'url' && isMissingPage(ref.url)) return '#';
  if (ref.kind === 'url') return isExternal(ref.url) ? ref.url : undefined;
  const href = refs.targetOf(ref)?.href;
  if (href === undefined) return '#';
  return isExternal(href) ? href : absolute(href);
}

const line = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();
