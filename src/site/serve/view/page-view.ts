import type { PageFacts } from '../../../content-engine/render/html/index.ts';
import {
  findFolder,
  fullLayout,
  pagesAbove,
  type DocumentPage,
  type Tree,
  filePathOf,
} from '../../../content-engine/tree/index.ts';
import type { Cover, HeadView, Link, PageBody, PageView, Tag } from '../../model.ts';
import type { SiteAddresses } from '../../read/addresses.ts';
import type { OpenSpace } from '../../read/pages/open-space.ts';
import type { ReaderCustomization } from '../../read/published-site.ts';
import type { Refs } from '../../read/pages/resolve-refs.ts';
import type { SiteReader } from '../../read/site-reader.ts';
import { iconOf } from './site-view.ts';
import { cardOf, socialImageOf } from './social-card.ts';
import { treeView } from './tree-view.ts';
import { repositoryHref, repositoryTree } from '../../read/pages/repository-links.ts';

export interface PageInput {
  readonly reader: SiteReader;
  readonly addresses: SiteAddresses;
  readonly space: OpenSpace;
  readonly page: DocumentPage;
  readonly refs: Refs;
  readonly facts: PageFacts;
  readonly body: PageBody;
  readonly customization: ReaderCustomization;
  readonly alternates: HeadView['alternates'];
  readonly hasPdf: boolean;
}

export function pageView(input: PageInput): PageView {
  const { addresses, space, page, body } = input;
  const { title, description, cover, tags, updatedAt } = page;
  const { coverSize, ...layout } = fullLayout(page.layout);
  const { pages } = space;
  const place = pages.places.get(page.id);
  const linkTo = (to: DocumentPage | undefined): Link | undefined =>
    to && { title: to.label ?? to.title, href: addresses.page(space, to.id) };
  return {
    title,
    description,
    icon: iconOf(page.icon, page.emoji),
    cover: cover && coverOf(input, coverSize === 'full' ? 'full' : 'hero'),
    layout,
    breadcrumbs: breadcrumbsOf(input),
    tree: treeView({ addresses, space, refs: input.refs, pageId: page.id }),
    body,
    tags: layout.tags ? (tags ?? []).map((tag) => tagOf(space.tree, tag)) : [],
    previous: linkTo(place === undefined ? undefined : pages.documents[place - 1]),
    next: linkTo(place === undefined ? undefined : pages.documents[place + 1]),
    updatedAt: updatedAt === undefined ? undefined : new Date(updatedAt).toISOString(),
    editHref: editHref(space, page.id),
    mcpHref: addresses.own('mcp'),
    markdownHref: addresses.markdown(space, page.id),
    pdfHref: input.hasPdf ? addresses.own(`pdf/${space.siteSpace.id}/${page.id}.pdf`) : undefined,
    feedback: {
      action: addresses.own('feedback'),
      fields: { space: space.siteSpace.id, page: page.id },
    },
    head: headOf(input),
  };
}

function coverOf({ page, refs }: PageInput, size: Cover['size']): Cover | undefined {
  const srcOf = (ref: NonNullable<DocumentPage['cover']>['ref']) => ref && refs.fileOf(ref)?.src;
  const { ref, refDark, yPos = 0 } = page.cover ?? {};
  const light = srcOf(ref) ?? srcOf(refDark);
  return light === undefined ? undefined : { light, dark: srcOf(refDark), yPos, size };
}

function breadcrumbsOf({ reader, addresses, space, page }: PageInput): Link[] {
  const { pages } = space;
  const above = pagesAbove(space.tree, page.id).map((each): Link => {
    const shown = each.type === 'document' ? each : pages.firstBelow(each.id);
    return { title: each.title, href: shown ? addresses.page(space, shown.id) : '' };
  });
  return [...sectionCrumb(reader, addresses, space), ...above];
}

/** The section of a space. It is no place of its own if the site has no other. */
export function sectionCrumb(reader: SiteReader, addresses: SiteAddresses, { siteSpace }: OpenSpace): Link[] {
  const section = reader.sections.length > 1 ? reader.site.sectionOf(siteSpace) : undefined;
  return section ? [{ title: section.title, href: addresses.section(section) }] : [];
}

const TONES = {
  green: 'success',
  blue: 'info',
  red: 'danger',
  orange: 'warning',
  yellow: 'warning',
} as const;

function tagOf(tree: Tree, name: string): Tag {
  const tag = findFolder(tree)?.tags?.find((each) => each.tag === name);
  const color = (tag?.color ?? '').replace(/^\$/, '');
  const tone = Object.hasOwn(TONES, color) ? TONES[color as keyof typeof TONES] : 'neutral';
  return { label: tag?.label ?? name, tone, icon: iconOf(tag?.icon) };
}

function headOf(input: PageInput): HeadView {
  const { reader, addresses, space, page, customization, facts, alternates, refs } = input;
  const picture = page.cover?.ref && refs.fileOf(page.cover.ref)?.src;
  return {
    canonical: addresses.absolute(addresses.page(space, page.id)),
    isIndexed: isIndexable(reader, page),
    summary: facts.summary,
    alternates,
    image: picture?.startsWith(addresses.basePath)
      ? { url: addresses.absolute(picture) }
      : socialImageOf(reader.site, addresses, cardOf(reader.site, customization, page), space, page),
    feedHref: facts.hasUpdates ? `${addresses.markdown(space, page.id).slice(0, -3)}/rss.xml` : undefined,
  };
}

/** Whether search engines may show the page. */
export const isIndexable = ({ site }: SiteReader, page: DocumentPage): boolean =>
  site.visibility === 'public' &&
  page.noIndex !== true &&
  page.noRobotsIndex !== true &&
  page.hidden !== true;

/**
 * Where the file of a page is edited at the host of its repository. Undefined where the space has none, or where only the
 * URL for cloning is known.
 */
function editHref(space: OpenSpace, pageId: string): string | undefined {
  const shown = repositoryTree(space);
  const path = filePathOf(space.tree, pageId);
  if (shown === undefined || path === undefined) return undefined;
  const branch = shown.replace(/\/tree\//, '/edit/').replace(/\/src\/branch\//, '/_edit/');
  return repositoryHref(branch, space.siteSpace.git?.directory, path);
}
