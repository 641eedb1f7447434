import { emptyRoot, hashOf, type Hash, type Load } from '../map/index.ts';
import { childrenOf, isPage, type ContentRecord, type LinkTable, type Tree } from '../tree/index.ts';
import { runHere, type RunBodyTasks } from './body-tasks.ts';
import { isWhole, type BlockConflict, type Conflict, type FieldConflict, type Use } from './conflict.ts';
import { keepDocument, readDocument, type WithContent } from './stored-document.ts';
import { Draft } from './merge-state.ts';
import { documentOf, fieldValue, withFieldValue } from './field-value.ts';
import { entryIn, NO_VARIABLES } from './merge-record.ts';
import type { RemainingBody } from './remove-blocks.ts';
import { settle } from './repair-tree.ts';
import { hashElsewhere, Texts } from './text-store.ts';
import { isEqual } from './versions.ts';

/** The change to the content of the change request. Empty where what is wanted stands already, or nothing of it is left. */
export interface Resolved {
  readonly changed: ReadonlyMap<string, ContentRecord | null>;
  readonly tree: Tree;
  readonly texts: ReadonlyMap<Hash, string>;
}

/**
 * Makes the chosen version stand. `tree` is that of the change request's present content; `now` in milliseconds. Undefined:
 * it cannot stand, as a place below a page that is gone, or that is itself below; or as the deletion of a page that others
 * stand below, who may have come there meanwhile.
 */
export async function resolveConflict(
  load: Load,
  tree: Tree,
  conflict: Conflict,
  use: Use,
  now: number,
  run: RunBodyTasks = runHere,
): Promise<Resolved | undefined> {
  const record = entryIn(tree, conflict.entry);
  const texts = new Texts();
  if (record === undefined || use === 'both') return { changed: new Map(), tree, texts: new Map() };
  if (deletes(conflict, use) && childrenOf(tree, conflict.entry).length > 0) return undefined;
  const draft = new Draft(tree);
  for (const [id, next] of await changesFor(load, record, conflict, use, texts, run)) {
    if (next === null || isEqual(next, draft.get(id))) draft.set(id, next ?? null);
    else draft.set(id, isPage(next) ? { ...next, updatedAt: now } : next);
  }
  const resolved = await settle(load, emptyRoot, draft);
  if (draft.conflicts.length > 0) return undefined;
  return { changed: draft.changed, tree: resolved, texts: texts.made };
}

const deletes = (conflict: Conflict, use: 'primary' | 'proposed'): boolean =>
  conflict.kind === 'delete' && conflict[use] === undefined;

type Changes = readonly (readonly [string, ContentRecord | null])[];

async function changesFor(
  load: Load,
  record: ContentRecord,
  conflict: Conflict,
  use: 'primary' | 'proposed',
  texts: Texts,
  run: RunBodyTasks,
): Promise<Changes> {
  const { id } = record;
  switch (conflict.kind) {
    case 'block':
      return [[id, await withBlocksOf(load, record, conflict, use, texts, run)]];
    case 'field':
      return [[id, withValueOf(record, conflict, use, texts)]];
    case 'position': {
      const place = conflict[use];
      if (place === undefined || !isPage(record)) return [];
      const { parent: _parent, ...rest } = record;
      return [[id, { ...rest, ...place } as ContentRecord]];
    }
    case 'delete':
      return deletes(conflict, use) ? [[id, null]] : [];
  }
}

/** The document without the blocks of the other version. */
async function withBlocksOf(
  load: Load,
  record: ContentRecord,
  conflict: BlockConflict,
  use: 'primary' | 'proposed',
  texts: Texts,
  run: RunBodyTasks,
): Promise<ContentRecord> {
  const document = documentOf(record);
  if (document === undefined) return record;
  const { links: ownLinks, ...rest } = record as WithContent & ContentRecord;
  await texts.load(load, [document, ...hashElsewhere(ownLinks)]);
  const { text: current, links } = readDocument(record as WithContent, texts);
  const others = conflict.block[use === 'primary' ? 'proposed' : 'primary'];
  const body = isWhole(conflict) ? (conflict[use] ?? '') : current;
  const [remaining] = await run('removeBlocks', [
    {
      input: { body, keys: new Set(others) },
      key: `${isWhole(conflict) ? hashOf(body) : document} ${others.join(' ')}`,
      entry: record.id,
      size: body.length,
    },
  ]);
  const { text, hrefs } = remaining as RemainingBody;
  return { ...rest, ...keepDocument({ text, links: linksIn(links, hrefs) }, texts) } as ContentRecord;
}

/** Of the links those that a body has. */
const linksIn = (links: LinkTable, hrefs: ReadonlySet<string>): LinkTable =>
  Object.fromEntries(Object.entries(links).filter(([href]) => hrefs.has(href)));

/** Texts stand in a conflict as they are, and in a record maybe under their hash. */
function withValueOf(
  record: ContentRecord,
  conflict: FieldConflict,
  use: 'primary' | 'proposed',
  texts: Texts,
): ContentRecord | null {
  const isText = conflict.member === 'frontmatter' || conflict.member === 'text';
  const given = conflict[use];
  const value = isText && typeof given === 'string' ? texts.inline(given) : given;
  if (isEqual(value, fieldValue(record, conflict))) return record;
  const next = withFieldValue(record, conflict, value);
  return isEqual(next, NO_VARIABLES) ? null : next;
}
