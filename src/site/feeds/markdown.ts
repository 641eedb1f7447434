import { renderMarkdown } from '../../content-engine/evaluation/index.ts';
import { isExternal, resolverOf } from '../../content-engine/links/index.ts';
import { hrefsOf, rewriteHrefs } from '../../content-engine/markdown/index.ts';
import type { ContentRef, DocumentPage } from '../../content-engine/tree/index.ts';
import { isLarge, nameOf, readBody, targetsOf, withCurrentLinks } from '../../domains/revisions/index.ts';
import type { SiteAddresses } from '../read/addresses.ts';
import type { OpenSpace } from '../read/open-space.ts';
import { openOnce } from '../read/read-document.ts';
import { scopeOf } from '../read/readable-pages.ts';
import { resolveRefs } from '../read/resolve-refs.ts';
import type { SiteReader } from '../read/site-reader.ts';

export interface PageMarkdown {
  readonly text: string;
  readonly spaces: ReadonlyMap<string, OpenSpace>;
  readonly files: ReadonlySet<string>;
}

/** A page as Markdown for a visitor: conditions are evaluated, and links are URLs that work outside of the space. */
export async function pageMarkdown(
  reader: SiteReader,
  addresses: SiteAddresses,
  space: OpenSpace,
  page: DocumentPage,
): Promise<PageMarkdown> {
  const { tree, load, engine } = space;
  const body = await readBody(load, page);
  const current = await withCurrentLinks(space, page, body);
  const visit = { scope: scopeOf(tree, page, reader.visitor.claims), deterministicOnly: false };
  const resolve = resolverOf(tree, page.id, body.links);
  const work = { size: current.length, what: nameOf(page) };
  const evaluated = isLarge(work.size)
    ? await engine.run(
        'evaluateMarkdown',
        { text: current, targets: await targetsOf(space, page, { ...body, text: current }), visit },
        work,
      )
    : engine.here(work.what, () => renderMarkdown(current, resolve, visit));
  const hrefs = hrefsOf(evaluated);
  const targets = new Map(hrefs.map(({ href }) => [href, resolve({ href })] as const));
  const spaces = new Map([[space.siteSpace.spaceId, space]]);
  for (const ref of targets.values())
    if (ref && 'space' in ref && ref.space !== undefined) await openOnce(reader, spaces, ref.space, space);
  const refs = resolveRefs(reader, addresses, { space, pageId: page.id, spaces });
  const replacements = hrefs.flatMap(({ start, end, href }) => {
    const url = urlOf(targets.get(href));
    return url === undefined ? [] : [{ start, end, href: url }];
  });
  const { title, description } = page;
  const head = [`# ${line(title)}`, ...(description ? [line(description)] : [])].join('\n\n');
  return {
    text: `${head}\n\n${rewriteHrefs(evaluated, replacements).trimStart()}`,
    spaces,
    files: refs.files,
  };

  /** Undefined: the href stays as it is. A target that the visitor may not read becomes the page itself. */
  function urlOf(ref: ContentRef | undefined): string | undefined {
    if (!ref || ref.kind === 'url' || (ref.kind === 'anchor' && ref.page === undefined)) return undefined;
    const href = refs.targetOf(ref)?.href;
    if (href === undefined) return '#';
    return isExternal(href) ? href : addresses.absolute(href);
  }
}

const line = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();
