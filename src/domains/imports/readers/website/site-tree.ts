import { hash } from 'node:crypto';
import type { OutlineRow } from '../../../../content-engine/folder/index.ts';
import { normaliseUrl, type NavigationItem } from '../../../../content-engine/html/index.ts';
import { cleanTitle, MAX_DEPTH } from '../../../../content-engine/tree/index.ts';

/** Memory of all entries, in characters. Further ones are ignored: their pages are placed by their URLs. */
const MAX_SIZE = 32_000_000;
const NODE_SIZE = 100;

/** An entry of a navigation. Siblings are a linked list, so that inserting one takes constant time. */
interface TreeNode {
  title: string;
  /** The identity of the page. Absent: it is a group. */
  readonly identity?: string;
  readonly groups: Map<string, TreeNode>;
  parent?: TreeNode;
  first?: TreeNode;
  last?: TreeNode;
  next?: TreeNode;
}

/** A page that was imported. */
export interface SitePage {
  readonly identity: string;
  readonly path: string;
}

export interface Site {
  /** The pages in the order in which they were found. */
  readonly pages: readonly SitePage[];
  /** Pages by the identity of any of their URLs. */
  readonly pageOf: (identity: string) => SitePage | undefined;
  /** Listed first if it is in no navigation. */
  readonly start: SitePage | undefined;
  /** `Scope.root`. */
  readonly root: string;
  /** Adds an empty page and returns its path: only at the root, a title without a page can be a group. */
  readonly addSection: (title: string, parentPath: string | undefined) => string;
}

/**
 * The page tree of a website, merged from the navigations of its pages: most show only a part of it, such as the
 * section of the current page. An entry that is known keeps its place; a new one follows its predecessor.
 */
export class SiteTree {
  readonly #root: TreeNode = { title: '', groups: new Map() };
  readonly #nodes = new Map<string, TreeNode>();
  readonly #merged = new Set<string>();
  #last: readonly NavigationItem[] | undefined;
  #size = 0;

  /**
   * False: the same navigation was merged before. `below`: the URL of the page that its entries belong to, for the list of
   * the pages of a chapter.
   */
  merge(navigation: readonly NavigationItem[], below?: string): boolean {
    // Pages that were converted together share their navigation.
    if (navigation === this.#last || navigation.length === 0) return false;
    this.#last = navigation;
    const key = hash('sha256', JSON.stringify([below, navigation]), 'base64');
    if (this.#merged.has(key)) return false;
    this.#merged.add(key);
    const root = below === undefined ? this.#root : this.#nodeOf(below);
    if (!root) return false;
    // The open entries, by depth, and their last merged child: the predecessor of the next one.
    const open: { readonly depth: number; readonly node: TreeNode; previous?: TreeNode }[] = [
      // Sections with navigations of their own follow each other.
      {
        depth: 0,
        node: root,
        ...(root.last && this.#isNew(navigation, root) ? { previous: root.last } : {}),
      },
    ];
    for (const item of navigation) {
      while (open.length > 1 && (open.at(-1)?.depth ?? 0) >= item.depth) open.pop();
      const above = open.at(-1);
      const node = above && this.#place(item, above.node, above.previous);
      if (!above || !node) break;
      above.previous = node;
      open.push({ depth: item.depth, node });
    }
    return true;
  }

  #isNew(navigation: readonly NavigationItem[], root: TreeNode): boolean {
    return navigation.every(({ title, url }) =>
      url === undefined ? !root.groups.has(title) : !this.#nodes.has(normaliseUrl(url) ?? ''),
    );
  }

  /** The entry of a page, which may be in no list yet: it is placed when one is found. */
  #nodeOf(url: string): TreeNode | undefined {
    const identity = normaliseUrl(url);
    return identity === undefined ? undefined : (this.#nodes.get(identity) ?? this.#add(identity, ''));
  }

  #add(identity: string | undefined, title: string): TreeNode | undefined {
    if (this.#size >= MAX_SIZE) return undefined;
    const node: TreeNode = { title, groups: new Map(), ...(identity !== undefined && { identity }) };
    this.#size += NODE_SIZE + title.length + (identity?.length ?? 0);
    if (identity !== undefined) this.#nodes.set(identity, node);
    return node;
  }

  #place(item: NavigationItem, parent: TreeNode, previous: TreeNode | undefined): TreeNode | undefined {
    const identity = item.url === undefined ? undefined : normaliseUrl(item.url);
    const known = identity === undefined ? parent.groups.get(item.title) : this.#nodes.get(identity);
    if (known?.parent || known === this.#root) return known;
    // A page that lists its own parent stays where it is.
    if (known && isWithin(parent, known)) return known;
    const node = known ?? this.#add(identity, item.title);
    if (!node) return undefined;
    node.title ||= item.title;
    if (identity === undefined) parent.groups.set(item.title, node);
    // A predecessor that is known at another place is none here.
    insertAfter(parent, previous?.parent === parent ? previous : undefined, node);
    return node;
  }

  /**
   * The outline of the imported pages. A page in no navigation is placed below the page whose URL is the longest prefix
   * of its own, otherwise at the end of the root.
   */
  outline(site: Site): OutlineRow[] {
    const nodes = new Map<SitePage, TreeNode>();
    // A page with a list of its chapters that no other page lists.
    for (const node of this.#nodes.values()) if (!node.parent) insertAfter(this.#root, this.#root.last, node);
    for (const { node } of inOrder(this.#root)) {
      const page = node.identity === undefined ? undefined : site.pageOf(node.identity);
      if (page && !nodes.has(page)) nodes.set(page, node);
    }
    const unlisted = site.pages.filter((page) => !nodes.has(page));
    for (const page of unlisted) nodes.set(page, { title: '', groups: new Map() });
    for (const page of unlisted) {
      const above = pageAbove(page, site);
      const parent = (above && nodes.get(above)) ?? this.#root;
      const node = nodes.get(page);
      if (node) insertAfter(parent, page === site.start ? undefined : parent.last, node);
    }
    return rowsOf(this.#root, new Map(Array.from(nodes, ([page, node]) => [node, page])), site);
  }
}

function isWithin(node: TreeNode, ancestor: TreeNode): boolean {
  for (let at: TreeNode | undefined = node; at; at = at.parent) if (at === ancestor) return true;
  return false;
}

function insertAfter(parent: TreeNode, previous: TreeNode | undefined, node: TreeNode): void {
  node.parent = parent;
  node.next = previous ? previous.next : parent.first;
  if (previous) previous.next = node;
  else parent.first = node;
  if (node.next === undefined) parent.last = node;
}

/** Iterates without recursion: merging navigations may nest entries deeper than each of them. */
function* inOrder(root: TreeNode): Generator<{ readonly node: TreeNode; readonly depth: number }> {
  const stack: TreeNode[] = [];
  for (let node = root.first; node || stack.length > 0;) {
    if (!node) {
      node = stack.pop()?.next;
      continue;
    }
    yield { node, depth: stack.length + 1 };
    if (node.first) stack.push(node);
    node = node.first ?? node.next;
  }
}

/** The page of the root is above all others, and no parent of theirs. */
function pageAbove({ identity }: SitePage, { root, pageOf }: Site): SitePage | undefined {
  let end = identity.lastIndexOf('/');
  for (; end > root.length; end = identity.lastIndexOf('/', end - 1)) {
    const prefix = identity.slice(0, end);
    const page = pageOf(prefix);
    // Another URL of a page may be a prefix of its own.
    if (page?.identity === prefix) return page;
  }
  return undefined;
}

/** Entries that neither are an imported page nor contain one are left out. */
function rowsOf(root: TreeNode, pages: ReadonlyMap<TreeNode, SitePage>, site: Site): OutlineRow[] {
  const entries = [...inOrder(root)];
  const shown = new Set<TreeNode>(pages.keys());
  for (const { node } of entries.toReversed()) if (shown.has(node) && node.parent) shown.add(node.parent);
  const paths = new Map<TreeNode, string>();
  return entries.flatMap(({ node, depth: treeDepth }): OutlineRow[] => {
    if (!shown.has(node)) return [];
    const depth = Math.min(treeDepth, MAX_DEPTH);
    const title = cleanTitle(node.title);
    const page = pages.get(node);
    if (!page && depth === 1) return [{ type: 'group', depth, title: title ?? 'Untitled' }];
    const path = page?.path ?? site.addSection(title ?? 'Untitled', node.parent && paths.get(node.parent));
    paths.set(node, path);
    const named = title === undefined ? {} : page ? { label: title } : { title };
    return [{ type: 'document', depth, path, ...named }];
  });
}
