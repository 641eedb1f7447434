import { currentFolder, dirOf, folderOf, linkTable, resolveIn, targetOf } from '../links/index.ts';
import { defaultRef } from '../markdown/refs.ts';
import { buildTree, type ContentRecord } from '../tree/index.ts';
import { coverOf } from './fields.ts';
import { isAsset } from './paths.ts';
import { kept, type Reading } from './reading.ts';

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
  const resolved = records.map((record) => {
    const { id } = record;
    const table = linkTable(tree, id, reading.hrefs.get(id) ?? []);
    const refs = Object.values(table);
    let next = refs.length === 0 ? record : { ...record, links: kept(reading, table) };
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

/** Where an entry of SUMMARY.md leads that is no page. */
export const targetFrom = (folder: ReturnType<typeof currentFolder>, summary: string, href: string) =>
  resolveIn(folder, folderOf(summary), href) ?? defaultRef(href, 'link');
