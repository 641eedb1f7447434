import { targetOfLinkPage } from '../../../content-engine/links/index.ts';
import { pagesAbove, type ContentRef, type PageRecord } from '../../../content-engine/tree/index.ts';
import type { TreeEntry } from '../../model.ts';
import type { SiteAddresses } from '../../read/addresses.ts';
import type { OpenSpace } from '../../read/pages/open-space.ts';
import type { Refs } from '../../read/pages/resolve-refs.ts';
import { iconOf } from './site-view.ts';

/** Up to this many pages, the whole tree is sent; of larger ones, only the branches around the page. */
const WHOLE_TREE = 120;
/** Entries of one level. */
const LONG_LEVEL = 60;

interface TreeInput {
  readonly addresses: SiteAddresses;
  readonly space: OpenSpace;
  readonly refs: Pick<Refs, 'targetOf'>;
  /** The page that is shown. */
  readonly pageId: string | undefined;
}

export function treeView(input: TreeInput): TreeEntry[] {
  const { space, pageId } = input;
  const { pages } = space;
  const above = pageId === undefined ? [] : pagesAbove(space.tree, pageId);
  const open = new Set([...above.map(({ id }) => id), ...(pageId === undefined ? [] : [pageId])]);
  const isWhole = pages.documents.length <= WHOLE_TREE;
  return levelOf(undefined);

  function levelOf(parent: string | undefined): TreeEntry[] {
    const children = pages.children(parent);
    const shown = children.length > LONG_LEVEL ? aroundOpen(children, open) : children;
    const entries = shown.flatMap(entryOf);
    if (shown.length === children.length) return entries;
    const href = contentsHref(input.addresses, space, parent);
    return [...entries, { kind: 'more', href, count: children.length }];
  }

  function entryOf(page: PageRecord): TreeEntry[] {
    const { id, title } = page;
    const icon = iconOf(page.icon, page.emoji);
    switch (page.type) {
      case 'group': {
        const children = levelOf(id);
        return children.length === 0 ? [] : [{ kind: 'group', title, icon, children }];
      }
      case 'link': {
        const href = input.refs.targetOf(targetOfLinkPage(space.tree, page))?.href;
        return href === undefined ? [] : [{ kind: 'link', title, icon, href }];
      }
      case 'document': {
        const hasChildren = pages.children(id).length > 0;
        const isOpen = open.has(id);
        const children = hasChildren && (isOpen || isWhole) ? levelOf(id) : undefined;
        return [
          {
            kind: 'page',
            title: page.label ?? title,
            icon,
            href: input.addresses.page(space, id),
            isCurrent: id === pageId,
            isOpen,
            hasChildren,
            ...(children && { children }),
          },
        ];
      }
      default:
        return [];
    }
  }
}

/** The targets of the link pages that the view of a tree shows. */
export function linkRefs(input: Omit<TreeInput, 'refs'>): ContentRef[] {
  const refs: ContentRef[] = [];
  const collect = (ref: ContentRef): undefined => {
    refs.push(ref);
  };
  treeView({ ...input, refs: { targetOf: collect } });
  return refs;
}

/** The part of a long level around the open entry, or its beginning. */
function aroundOpen(children: readonly PageRecord[], open: ReadonlySet<string>): readonly PageRecord[] {
  const at = Math.max(
    0,
    children.findIndex(({ id }) => open.has(id)),
  );
  const start = Math.min(Math.max(0, at - LONG_LEVEL / 2), children.length - LONG_LEVEL);
  return children.slice(start, start + LONG_LEVEL);
}

/** The page that lists a whole level. */
export const contentsHref = (
  addresses: SiteAddresses,
  { siteSpace }: OpenSpace,
  parent: string | undefined,
): string => addresses.own(`contents/${siteSpace.id}${parent === undefined ? '' : `/${parent}`}`);
