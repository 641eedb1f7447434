import { sizeOfText } from '../../content-engine/size-of-text.ts';
import {
  expandIncludes,
  hasConditions,
  refKey,
  renderMarkdown,
  reusableKey,
  writeWithHrefs,
  type Body,
} from '../../content-engine/evaluation/index.ts';
import { isExternal } from '../../content-engine/links/index.ts';
import type { ContentRef, DocumentPage } from '../../content-engine/tree/index.ts';
import {
  isLarge,
  nameOf,
  readBody,
  resolveInSlices,
  targetsOf,
  withCurrentLinks,
} from '../../domains/revisions/index.ts';
import { pauseBetweenSlices } from '../../platform/threads/slices.ts';
import type { SiteAddresses } from '../read/addresses.ts';
import type { OpenSpace } from '../read/open-space.ts';
import { resolveInOtherSpaces, type Revisions } from '../read/other-spaces.ts';
import { hasIncludes } from '../read/read-document.ts';
import { readPage, type SmallPage } from '../read/read-page.ts';
import { scopeOf } from '../read/readable-pages.ts';
import { resolverIn } from '../read/repository-links.ts';
import { isMissingPage, resolveRefs, type Refs } from '../read/resolve-refs.ts';
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
  const reading: Reading = { reader, addresses, space, page };
  const body = await readBody(space.load, page);
  const { text, ...used } = (await hasIncludes(space, page))
    ? await withIncludes(reading)
    : await asWritten(reading, body);
  const { title, description } = page;
  const head = [`# ${line(title)}`, ...(description ? [line(description)] : [])].join('\n\n');
  return { text: `${head}\n\n${text.trimStart()}`, ...used };
}

interface Reading {
  readonly reader: SiteReader;
  readonly addresses: SiteAddresses;
  readonly space: OpenSpace;
  readonly page: DocumentPage;
}

/** The spelling of the author, but for hrefs. */
async function asWritten({ reader, addresses, space, page }: Reading, body: Body): Promise<PageMarkdown> {
  const { tree, engine } = space;
  const current = await withCurrentLinks(space, page, body);
  const visit = { scope: scopeOf(tree, page, reader.visitor.claims), deterministicOnly: false };
  const resolve = resolverIn(space, page.id, body.links);
  const work = { size: sizeOfText(current), what: nameOf(page) };
  const evaluate = async () =>
    isLarge(work.size)
      ? engine.run(
          'evaluateMarkdown',
          {
            text: current,
            targets: await targetsOf(space, page, { ...body, text: current }, resolve),
            visit,
          },
          work,
        )
      : engine.here(work.what, () => renderMarkdown(current, resolve, visit));
  const evaluated = hasConditions(current) ? await evaluate() : current;
  const hrefs = await engine.run('listHrefs', evaluated, { ...work, size: sizeOfText(evaluated) });
  const targets = await resolveInSlices(hrefs, (href) => resolve({ href }));
  const from = { space, pageId: page.id };
  const others = await resolveInOtherSpaces(reader, addresses, from, targets.values());
  const refs = resolveRefs(reader, addresses, from, others.entries);
  const urls = new Map<string, string>();
  const pause = pauseBetweenSlices();
  for (const href of hrefs) {
    await pause();
    const target = targets.get(href);
    const url = !target && isMissingPage(href) ? '#' : urlOf(refs, addresses, target);
    if (url !== undefined) urls.set(href, url);
  }
  const text =
    urls.size === 0
      ? evaluated
      : await engine.run(
          'respellHrefs',
          { text: evaluated, moved: urls, areUrls: true },
          { ...work, size: sizeOfText(evaluated) },
        );
  const { spaceId, revisionId } = space.siteSpace;
  return { text, revisions: new Map([...others.revisions, [spaceId, revisionId]]), files: refs.files };
}

/** Written from the document: included blocks have no place in the source of the page. */
async function withIncludes({ reader, addresses, space, page }: Reading): Promise<PageMarkdown> {
  const { content, work, references, revisions } = await readPage(reader, space, page);
  const from = { space, pageId: page.id };
  const others = await resolveInOtherSpaces(reader, addresses, from, references.refs);
  const refs = resolveRefs(reader, addresses, from, others.entries);
  const hrefs = new Map<string, string>();
  const pause = pauseBetweenSlices();
  for (const ref of references.refs) {
    await pause();
    const url = urlOf(refs, addresses, ref);
    if (url !== undefined) hrefs.set(refKey(ref), url);
  }
  const text =
    'document' in content
      ? await space.engine.here(work.what, () => writeSmall(content, space, hrefs))
      : await space.engine.run('writeSource', { source: content, hrefs }, work);
  return { text, revisions: new Map([...others.revisions, ...revisions]), files: refs.files };
}

function writeSmall(
  { document, includedDocuments }: SmallPage,
  { siteSpace }: OpenSpace,
  hrefs: ReadonlyMap<string, string>,
): string {
  const whole = expandIncludes(document, (ref) => includedDocuments.get(reusableKey(siteSpace.spaceId, ref)));
  return writeWithHrefs(whole, hrefs);
}

/** Undefined: the href stays as it is. A target that is missing, or that the visitor may not read, becomes the page itself. */
function urlOf(refs: Refs, addresses: SiteAddresses, ref: ContentRef | undefined): string | undefined {
  if (ref?.kind === 'url' && isMissingPage(ref.url)) return '#';
  if (ref?.kind === 'url' && isExternal(ref.url)) return ref.url;
  if (!ref || ref.kind === 'url' || (ref.kind === 'anchor' && ref.page === undefined)) return undefined;
  const href = refs.targetOf(ref)?.href;
  if (href === undefined) return '#';
  return isExternal(href) ? href : addresses.absolute(href);
}

const line = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();
