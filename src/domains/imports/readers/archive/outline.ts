import { parseSummary, type OutlineRow } from '../../../../content-engine/folder/index.ts';
import { directoryOf } from '../../../../content-engine/links/index.ts';
import { cleanTitle, MAX_DEPTH } from '../../../../content-engine/tree/index.ts';

/** An entry of a navigation or of a list of links. */
export interface OutlineItem {
  /** Deeper entries belong to the last one before them with a smaller depth. */
  readonly depth: number;
  readonly title: string;
  /** The path of an imported page. */
  readonly path?: string;
}

interface Place {
  readonly row: OutlineRow | undefined;
  readonly children: Place[];
}

const byName = new Intl.Collator('en', { numeric: true });

/**
 * The outline by a list. Entries without a page are groups at the root, and vanish elsewhere. Pages that are not listed
 * follow: below the page of their folder, or at the end.
 */
export function outlineOf(items: readonly OutlineItem[], pages: Iterable<string>): OutlineRow[] {
  const root: Place = { row: undefined, children: [] };
  const places = new Map<string, Place>();
  const known = new Set(pages);
  const open: { readonly depth: number; readonly place: Place }[] = [];
  for (const { depth, title, path } of items) {
    while ((open.at(-1)?.depth ?? 0) >= depth) open.pop();
    const parent = open.at(Math.min(open.length, MAX_DEPTH - 1) - 1)?.place ?? root;
    const isPage = path !== undefined && known.has(path) && !places.has(path);
    const row = isPage ? documentRow(path, title) : groupRow(path, title, parent === root);
    const place = row ? { row, children: [] } : parent;
    if (isPage) places.set(path, place);
    if (place !== parent) parent.children.push(place);
    open.push({ depth, place });
  }
  const unlisted = [...known].filter((path) => !places.has(path));
  for (const path of unlisted.toSorted((a, b) => levelOf(a) - levelOf(b) || byName.compare(a, b))) {
    const place = { row: documentRow(path), children: [] };
    (placeOfFolder(path, places) ?? root).children.push(place);
    places.set(path, place);
  }
  return [...rowsBelow(root, 1)];
}

function documentRow(path: string, title = ''): OutlineRow {
  const text = cleanTitle(title);
  return { type: 'document', depth: 1, path, ...(text && { title: text, label: text }) };
}

function groupRow(path: string | undefined, title: string, isAtRoot: boolean): OutlineRow | undefined {
  const text = cleanTitle(title);
  return path === undefined && isAtRoot && text ? { type: 'group', depth: 1, title: text } : undefined;
}

const isReadme = (path: string): boolean => /(?:^|\/)README\.md$/.test(path);
const folderOf = (path: string): string => directoryOf(isReadme(path) ? directoryOf(path) : path);
const levelOf = (path: string): number => (folderOf(path) === '' ? 0 : folderOf(path).split('/').length);

function placeOfFolder(path: string, places: ReadonlyMap<string, Place>): Place | undefined {
  for (let folder = folderOf(path); folder !== ''; folder = directoryOf(folder)) {
    const place = places.get(`${folder}/README.md`) ?? places.get(`${folder}.md`);
    if (place) return place;
  }
  return undefined;
}

/** A group without pages is left out. */
function* rowsBelow({ children }: Place, depth: number): Generator<OutlineRow> {
  for (const place of children) {
    if (!place.row || (place.row.type === 'group' && place.children.length === 0)) continue;
    yield { ...place.row, depth };
    yield* rowsBelow(place, Math.min(depth + 1, MAX_DEPTH));
  }
}

/** The entries of a Markdown list of links. `pathOf`: the imported page of an href. */
export const listedItems = (markdown: string, pathOf: (href: string) => string | undefined): OutlineItem[] =>
  parseSummary(markdown).flatMap((item): OutlineItem[] => {
    if (item.kind === 'group') return [{ depth: 1, title: item.title }];
    if (item.kind !== 'entry') return [];
    const path = item.href === undefined ? undefined : pathOf(item.href);
    // A link to something else is no page of this import.
    if (item.href !== undefined && path === undefined) return [];
    return [{ depth: item.indent + 2, title: item.title, ...(path !== undefined && { path }) }];
  });
