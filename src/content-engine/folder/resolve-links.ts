import { currentFolder, dirOf, folderOf, linkTable, resolveIn, targetOf } from '../links/index.ts';
import { defaultRef } from '../document/index.ts';
import { buildTree, FOLDER_ID, type ContentRecord, type FolderRecord, type Tree } from '../tree/index.ts';
import { coverOf } from './frontmatter-fields.ts';
import { isAsset } from './export-paths.ts';
import { kept, type Reading } from './import-context.ts';
import { redirectsIn } from './redirects.ts';

/**
 * The second look at the entries, when all of them are there: what their links, covers and targets mean. A file that
 * nothing leads to, outside the folder for files, is not a file of the space.
 */
export function resolveLinks(
  reading: Reading,
  summary: string,
  records: readonly ContentRecord[],
): ContentRecord[] {
  const tree = buildTree(records);
  const folder = currentFolder(tree);
  const linked = new Set<string>();
  const resolved = records.map((record): ContentRecord => {
    const { id } = record;
    if (record.kind === 'folder') return withRedirects(reading, tree, record);
    const table = linkTable(tree, id, reading.hrefs.get(id) ?? []);
    const refs = Object.values(table);
    let next = refs.length === 0 ? record : ({ ...record, links: kept(reading, table) } as ContentRecord);
    const fields = reading.covers.get(id);
    const dir = dirOf(folder, id);
    const path = folder.pathOf(id) ?? '';
    const warn = (message: string) => reading.warnings.push({ path, message });
    const cover = fields && coverOf(fields, (href) => resolveIn(folder, dir, href), warn);
    if (cover !== undefined) next = { ...next, cover } as ContentRecord;
    const href = reading.targets.get(id);
    const target = href === undefined ? undefined : targetFrom(folder, summary, href);
    if (target !== undefined) next = { ...next, target } as ContentRecord;
    for (const ref of [...refs, cover?.ref, cover?.refDark, target]) {
      const to = ref && targetOf(ref);
      if (to !== undefined) linked.add(to);
    }
    return next;
  });
  return resolved.map((record) => {
    if (record.kind !== 'file' || linked.has(record.id) || isAsset(record.path ?? '')) return record;
    return { ...record, unlisted: true };
  });
}

/** Remembers which page each redirect leads to, so that later it follows the page. */
function withRedirects(reading: Reading, tree: Tree, folder: FolderRecord): FolderRecord {
  const { configuration } = folder;
  const redirects = configuration ? redirectsIn(reading.text(configuration.path) ?? '') : [];
  const table = linkTable(tree, FOLDER_ID, redirects);
  if (configuration === undefined || Object.keys(table).length === 0) return folder;
  return { ...folder, configuration: { ...configuration, links: kept(reading, table) } };
}

/** Where an entry of SUMMARY.md leads that is no page. */
export const targetFrom = (folder: ReturnType<typeof currentFolder>, summary: string, href: string) =>
  resolveIn(folder, folderOf(summary), href) ?? defaultRef(href, 'link');
