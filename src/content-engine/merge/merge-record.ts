import { isSame } from '../map/index.ts';
import { isPage, VARIABLES_ID, type ContentRecord, type Tree, type VariablesRecord } from '../tree/index.ts';
import type { Conflict, Place } from './conflicts/conflict.ts';
import { storeDocument, type StoredDocument } from './stored-document.ts';
import { mergeField, reportFieldConflict, type Fields, type MergeContext } from './merge-fields.ts';
import { isPlacedByEntry, withMergedPlace } from './merge-generated.ts';
import { mapVersions, presentVersions, trivialMerge, type Versions } from './versions.ts';

/** An entry that both sides have. It may be missing in the ancestor. */
export interface RecordVersions {
  readonly ancestor: ContentRecord | undefined;
  readonly primary: ContentRecord;
  readonly proposed: ContentRecord;
}

export interface MergedRecord {
  readonly record: ContentRecord;
  readonly conflicts: readonly Conflict[];
  /** Whether the sides gave it different files: its file then follows from its path in the tree. */
  readonly isFileOpen: boolean;
}

/** The record of variables always exists, even when it is empty and not stored. */
export const NO_VARIABLES: VariablesRecord = { id: VARIABLES_ID, kind: 'variables', values: {} };

export const entryIn = (tree: Tree, id: string): ContentRecord | undefined =>
  tree.records.get(id) ?? (id === VARIABLES_ID ? NO_VARIABLES : undefined);

/** Members that are merged as one value. */
const GROUPS = {
  position: ['parent', 'position'],
  content: ['hash', 'size', 'contentType', 'dimensions'],
  body: ['document', 'links'],
} as const;

type Group = keyof typeof GROUPS;

/** Merges field by field. `texts` holds the hashes of `hashesToMerge`; `documents` the merged `bodiesToMerge`. */
export function mergeRecord(
  versions: RecordVersions,
  { texts, documents, budget }: Pick<MergeContext, 'texts' | 'documents' | 'budget'>,
): MergedRecord {
  const same = trivialMerge<ContentRecord | undefined>(versions)?.value;
  if (same !== undefined) return { record: same, conflicts: [], isFileOpen: false };
  const conflicts: Conflict[] = [];
  const context: MergeContext = {
    entry: versions.primary.id,
    texts,
    documents,
    budget,
    report: (conflict) => conflicts.push(conflict),
  };
  if (kindOf(versions.primary) !== kindOf(versions.proposed)) {
    const record = reportFieldConflict(versions, { ...context, field: 'record' }) as ContentRecord;
    return { record, conflicts, isFileOpen: false };
  }
  const records = comparable(versions);
  const fields = mapVersions<ContentRecord | undefined, Fields>(records, fieldsOf);
  const names = new Set([...Object.keys(fields.primary), ...Object.keys(fields.proposed)]);
  const merged = [...names].map((field) => {
    const values = mapVersions(fields, (each) => each[field]);
    const known = trivialMerge(values);
    if (known !== undefined) return [field, known.value];
    // Each expansion is of the content at its time: that of the space is the latest.
    if (field === 'generated' || field === 'expanded') return [field, values.primary];
    if (field === 'position') return [field, mergePlaces(records, context)];
    if (field === 'body') return [field, mergedBody(context)];
    return [field, mergeField(values, { ...context, field })];
  });
  const isFileConflict = (one: Conflict) => isPage(versions.primary) && isAbout(one, 'source', 'path');
  const isTitleLineConflict = (one: Conflict) =>
    isAbout(one, 'source', 'titleLine') && conflicts.some((each) => isAbout(each, 'title'));
  return {
    record: withMergedPlace(recordOf(Object.fromEntries(merged) as Fields), [
      versions.primary,
      versions.proposed,
    ]),
    // The title line of the source file follows the title.
    conflicts: conflicts.filter((one) => !isFileConflict(one) && !isTitleLineConflict(one)),
    isFileOpen: conflicts.some(isFileConflict),
  };
}

/** The versions of a body that both sides changed differently. Undefined: there is nothing to merge. */
export function bodiesToMerge(versions: RecordVersions): Versions<StoredDocument | undefined> | undefined {
  if (
    trivialMerge<ContentRecord | undefined>(versions) ||
    kindOf(versions.primary) !== kindOf(versions.proposed)
  )
    return;
  const bodies = mapVersions<ContentRecord | undefined, StoredDocument | undefined>(
    comparable(versions),
    (record) => fieldsOf(record)['body'] as StoredDocument | undefined,
  );
  return trivialMerge(bodies) ? undefined : bodies;
}

function mergedBody({ entry, documents, texts, report }: MergeContext): StoredDocument {
  const merged = documents.get(entry);
  if (merged === undefined) throw new Error(`The body of ${entry} was not merged`);
  for (const conflict of merged.conflicts) report({ kind: 'block', entry, ...conflict });
  return storeDocument(merged, texts);
}

/** Ignores an ancestor of another kind, which has no common fields. */
export function comparable(versions: RecordVersions): RecordVersions {
  const isSameKind =
    versions.ancestor !== undefined && kindOf(versions.ancestor) === kindOf(versions.primary);
  return isSameKind ? versions : { ...versions, ancestor: undefined };
}

const isAbout = (conflict: Conflict, field: string, member?: string): boolean =>
  conflict.kind === 'field' && conflict.field === field && conflict.member === member;

const kindOf = (record: ContentRecord): string => (isPage(record) ? record.type : record.kind);

/** The members of a record, with each group as one field. */
export function fieldsOf(record: ContentRecord | undefined): Fields {
  const fields = new Map<string, unknown>(Object.entries(record ?? {}));
  for (const [group, names] of Object.entries(GROUPS)) {
    const members = names.flatMap((name) => (fields.has(name) ? [[name, fields.get(name)] as const] : []));
    for (const [name] of members) fields.delete(name);
    if (members.length > 0) fields.set(group, Object.fromEntries(members));
  }
  return Object.fromEntries(fields);
}

export function recordOf(fields: Fields): ContentRecord {
  const isGroup = (name: string): name is Group => Object.hasOwn(GROUPS, name);
  const members = Object.entries(fields).flatMap(([name, value]): [string, unknown][] =>
    isGroup(name) ? Object.entries(value ?? {}) : [[name, value]],
  );
  return Object.fromEntries(members.filter(([, value]) => value !== undefined)) as unknown as ContentRecord;
}

/**
 * Merges parent and position, which both sides changed. A page whose key changed only to make room for another page
 * was not moved. A page that both sides moved to the same parent is no conflict.
 */
function mergePlaces(
  records: Versions<ContentRecord | undefined>,
  { entry, report }: MergeContext,
): Place | undefined {
  const places = mapVersions(records, placeOf);
  const wasRekeyed = mapVersions(records, (record) => isRekeyed(records.ancestor, record));
  if (wasRekeyed.primary !== wasRekeyed.proposed)
    return wasRekeyed.primary ? places.proposed : places.primary;
  const { ancestor, primary, proposed } = places;
  const isMovedAlike = primary?.parent === proposed?.parent && primary?.parent !== ancestor?.parent;
  if (ancestor && primary && proposed && isMovedAlike) {
    // Symmetric: the same choice, whichever side is the primary one.
    return primary.position < proposed.position ? primary : proposed;
  }
  if (!(records.primary && records.proposed && isPlacedByEntry(records.primary, records.proposed)))
    report({ kind: 'position', entry, ...presentVersions(places) });
  return places.proposed;
}

export function placeOf(record: ContentRecord | undefined): Place | undefined {
  if (!isPage(record)) return undefined;
  const { parent, position } = record;
  return parent === undefined ? { position } : { parent, position };
}

/** Whether only the position key differs. Moving a page also changes `updatedAt`. */
export const isRekeyed = (before: ContentRecord | undefined, after: ContentRecord | undefined): boolean =>
  isPage(before) && isPage(after) && isSame({ ...before, position: after.position }, after);
