import { isMdx } from '../../markdown/index.ts';
import { cleanTitle, MAX_DEPTH } from '../../tree/index.ts';
import type { Configuration } from '../configuration.ts';
import type { OutlineRow } from './outline.ts';
import { withoutExtension } from '../page-path.ts';

interface Dir {
  readonly files: Map<string, string>;
  readonly dirs: Map<string, Dir>;
}

/** Deeper files are no pages. */
const MAX_FOLDERS = 64;

/**
 * The outline of a folder without SUMMARY.md. `x/README.md` or else `x.md` is the page of the folder `x`. A folder
 * without a page is a group at the root; further down, its pages belong to the folder above. Dot files are no pages.
 */
export function inferOutline(paths: Iterable<string>, { root, readme }: Configuration): OutlineRow[] {
  const top: Dir = { files: new Map(), dirs: new Map() };
  for (const path of paths) {
    const parts = path.slice(root.length).split('/');
    const isHidden = parts.some((part) => part.startsWith('.'));
    if (!path.startsWith(root) || isHidden || parts.length > MAX_FOLDERS) continue;
    let dir = top;
    for (const part of parts.slice(0, -1)) {
      const next = dir.dirs.get(part) ?? { files: new Map(), dirs: new Map() };
      dir.dirs.set(part, next);
      dir = next;
    }
    const file = parts.at(-1) ?? '';
    const name = withoutExtension(file);
    const other = dir.files.get(name);
    if (other === undefined || !isMdx(path)) dir.files.set(name, path);
    if (other !== undefined) {
      const second = isMdx(path) ? path : other;
      dir.files.set(second.slice(second.lastIndexOf('/') + 1), second);
    }
  }
  const rows: OutlineRow[] = [];
  const first = takeFirst(top, readme);
  if (first !== undefined) rows.push({ type: 'document', depth: 1, path: first });
  listFolder(top, 0, rows);
  return rows;
}

function takeFirst({ files }: Dir, readme: string): string | undefined {
  const name = [...files].find(([, path]) => path === readme)?.[0];
  const path = name === undefined ? undefined : files.get(name);
  if (name !== undefined) files.delete(name);
  return path;
}

const byName = new Intl.Collator('en', { numeric: true, sensitivity: 'variant' });
const compare = (a: string, b: string): number => byName.compare(a, b) || (a < b ? -1 : Number(a > b));

/** `parentDepth`: depth of the page that is the parent of the pages in this folder. */
function listFolder({ files, dirs }: Dir, parentDepth: number, rows: OutlineRow[]): void {
  const names = [...new Set([...files.keys(), ...dirs.keys()])];
  for (const name of names.toSorted(compare)) {
    const dir = dirs.get(name);
    const pages = [files.get(name), dir?.files.get('README')].filter((path) => path !== undefined);
    dir?.files.delete('README');
    for (const path of pages) rows.push({ type: 'document', depth: parentDepth + 1, path });
    if (dir === undefined) continue;
    const isGroup = pages.length === 0 && parentDepth === 0 && holdsPages(dir);
    if (isGroup) rows.push({ type: 'group', depth: 1, title: titleFrom(name), slug: name });
    const isParent = pages.length > 0 || isGroup;
    listFolder(dir, isParent ? Math.min(parentDepth + 1, MAX_DEPTH - 1) : parentDepth, rows);
  }
}

const holdsPages = ({ files, dirs }: Dir): boolean => files.size > 0 || [...dirs.values()].some(holdsPages);

/** A title from a file name. */
export function titleFrom(name: string): string {
  const words = name.replace(/[-_\s]+/g, ' ').trim();
  return cleanTitle(words.charAt(0).toUpperCase() + words.slice(1)) ?? 'Untitled';
}
