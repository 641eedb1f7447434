import { compact } from './changes/batch.ts';
import { findFile, findPage, parentOf } from './lookup.ts';
import { hasSlug, type ContentRecord, type ReusableContentRecord } from './records.ts';
import { uniqueSlug } from './names/slug.ts';
import { isMisplaced, ROOT, slugKey, type Tree } from './tree.ts';

/**
 * Replacements for records with a problem: the place that the tree assigned becomes explicit, and a duplicate slug is
 * replaced. For callers that combine records without `applyChanges`, such as a merge or an import.
 */
export function repairRecords(tree: Tree): Map<string, ContentRecord> {
  const repaired = new Map<string, ContentRecord>();
  const assigned = new Set<string>();
  for (const [id, problems] of tree.problems) {
    let record = tree.records.get(id);
    if (record === undefined) continue;
    const page = findPage(tree, id);
    if (page !== undefined && isMisplaced(tree, id)) record = compact({ ...page, parent: undefined });
    if (page !== undefined && hasSlug(page) && problems.includes('duplicate-slug')) {
      const parent = parentOf(tree, id) ?? ROOT;
      const isTaken = (folded: string) => {
        const key = slugKey(parent, folded);
        return tree.slugs.has(key) || assigned.has(key);
      };
      const slug = uniqueSlug(page.slug, isTaken, { isAtRoot: parent === ROOT });
      assigned.add(slugKey(parent, slug));
      record = { ...record, slug } as ContentRecord;
    }
    repaired.set(id, problems.includes('duplicate-source') ? withoutSource(tree, id, record) : record);
  }
  return repaired;
}

function withoutSource(tree: Tree, id: string, record: ContentRecord): ContentRecord {
  if (findFile(tree, id) !== undefined) return compact({ ...record, path: undefined } as ContentRecord);
  // Reusable content keeps its frontmatter, so its file is renamed instead of forgotten.
  if (record.kind === 'reusable-content') return { ...record, ...renamedSource(record) };
  if (findPage(tree, id) === undefined) return record;
  return compact({ ...record, source: undefined } as ContentRecord);
}

function renamedSource({ id, source }: ReusableContentRecord) {
  if (source === undefined) return {};
  const path = source.path.replace(/(\.mdx?)?$/i, `-${id}$1`);
  return { source: { ...source, path } };
}
