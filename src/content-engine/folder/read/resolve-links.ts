import {
  baseDirectoryOf,
  currentPaths,
  directoryOf,
  linkTable,
  resolveIn,
  targetOf,
} from '../../links/index.ts';
import { defaultRef } from '../../document/index.ts';
import { buildTree, FOLDER_ID, type ContentRecord, type FolderRecord, type Tree } from '../../tree/index.ts';
import { coverOf } from '../frontmatter-fields.ts';
import { isAsset } from '../write/export-paths.ts';
import { storeInline, type ImportContext } from './import-context.ts';
import { redirectsIn } from '../redirects.ts';
import { lineCounter } from '../split-file.ts';

/**
 * The second pass of an import, when all entries are known: resolves links, covers and targets. A file outside the
 * asset folder that nothing links to is not a file of the space.
 */
export function resolveLinks(
  context: ImportContext,
  summary: string,
  records: readonly ContentRecord[],
): ContentRecord[] {
  const tree = buildTree(records);
  const folder = currentPaths(tree);
  const linked = new Set<string>();
  const resolve = (record: ContentRecord): ContentRecord => {
    const { id } = record;
    if (record.kind === 'folder') return withRedirects(context, tree, record);
    const hrefs = [...(context.hrefs.get(id) ?? [])].map((href) => ({ href }));
    const table = linkTable(tree, id, hrefs);
    const refs = Object.values(table);
    let next =
      refs.length === 0 ? record : ({ ...record, links: storeInline(context, table) } as ContentRecord);
    const fields = context.covers.get(id);
    const dir = baseDirectoryOf(folder, id);
    const path = folder.pathOf(id) ?? '';
    const warn = (message: string) => context.warnings.push({ path, message });
    const cover = fields && coverOf(fields, (href) => resolveIn(folder, dir, href), warn);
    if (cover !== undefined) next = { ...next, cover } as ContentRecord;
    const href = context.targets.get(id);
    const target = href === undefined ? undefined : targetFrom(folder, summary, href);
    if (target !== undefined) next = { ...next, target } as ContentRecord;
    for (const ref of [...refs, cover?.ref, cover?.refDark, target]) {
      const to = ref && targetOf(ref);
      if (to !== undefined) linked.add(to);
    }
    return next;
  };
  return records.map(resolve).map((record) => {
    if (record.kind !== 'file' || linked.has(record.id) || isAsset(record.path ?? '')) return record;
    return { ...record, unlisted: true };
  });
}

/** Records the page of each redirect, so that the redirect can follow the page later. Reports redirects without one. */
function withRedirects(context: ImportContext, tree: Tree, folder: FolderRecord): FolderRecord {
  const { configuration } = folder;
  if (configuration === undefined) return folder;
  const { path } = configuration;
  const text = context.text(path) ?? '';
  const redirects = redirectsIn(text);
  const table = linkTable(tree, FOLDER_ID, redirects);
  const lineOf = lineCounter(text);
  for (const { href, start } of redirects) {
    if (Object.hasOwn(table, href)) continue;
    const message = `redirects: There is no page or file ${href}; this redirect has no effect`;
    context.warnings.push({ path, message, line: lineOf(start), file: href });
  }
  if (Object.keys(table).length === 0) return folder;
  return { ...folder, configuration: { ...configuration, links: storeInline(context, table) } };
}

/** The target of an entry of SUMMARY.md that is a link. */
export const targetFrom = (folder: ReturnType<typeof currentPaths>, summary: string, href: string) =>
  resolveIn(folder, directoryOf(summary), href) ?? defaultRef(href, 'link');
