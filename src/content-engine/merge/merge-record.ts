import { isSame } from '../map/index.ts';
import { isPage, VARIABLES_ID, type ContentRecord, type Tree, type VariablesRecord } from '../tree/index.ts';
import type { Conflict, Place } from './conflict.ts';
import { keepDocument, type WithContent } from './stored-document.ts';
import { atom, mergeField, type Fields, type Merging } from './merge-fields.ts';
import { agreed, mapThree, versions, type Three } from './versions.ts';

/** An entry that both sides have. The ancestor may have none. */
export interface RecordVersions {
  readonly ancestor: ContentRecord | undefined;
  readonly primary: ContentRecord;
  readonly proposed: ContentRecord;
}

export interface MergedRecord {
  readonly record: ContentRecord;
  readonly conflicts: readonly Conflict[];
  /** Whether each side gave it a file of its own: it belongs into the one that its place names. */
  readonly isFileOpen: boolean;
}

/** There are always variables, if no variable. */
export const NO_VARIABLES: VariablesRecord = { id: VARIABLES_ID, kind: 'variables', values: {} };

export const entryIn = (tree: Tree, id: string): ContentRecord | undefined =>
  tree.records.get(id) ?? (id === VARIABLES_ID ? NO_VARIABLES : undefined);

/** Members that only make sense together. */
const GROUPS = {
  position: ['parent', 'position'],
  content: ['hash', 'size', 'contentType', 'dimensions'],
  body: ['document', 'links'],
} as const;

type Group = keyof typeof GROUPS;

/** Field by field; `texts` holds all that `textsFor` asked for, and `documents` what `bodiesToMerge` answers, merged. */
export function mergeRecord(
  given: RecordVersions,
  { texts, documents, budget }: Pick<Merging, 'texts' | 'documents' | 'budget'>,
): MergedRecord {
  const same = agreed<ContentRecord | undefined>(given)?.value;
  if (same !== undefined) return { record: same, conflicts: [], isFileOpen: false };
  const conflicts: Conflict[] = [];
  const merging: Merging = {
    entry: given.primary.id,
    texts,
    documents,
    budget,
    report: (conflict) => conflicts.push(conflict),
  };
  if (sortOf(given.primary) !== sortOf(given.proposed)) {
    const record = atom(given, { ...merging, field: 'record' }) as ContentRecord;
    return { record, conflicts, isFileOpen: false };
  }
  const records = comparable(given);
  const fields = mapThree<ContentRecord | undefined, Fields>(records, fieldsOf);
  const names = new Set([...Object.keys(fields.primary), ...Object.keys(fields.proposed)]);
  const merged = [...names].map((field) => {
    const values = mapThree(fields, (each) => each[field]);
    const known = agreed(values);
    if (known !== undefined) return [field, known.value];
    if (field === 'position') return [field, mergePlaces(records, merging)];
    if (field === 'body') return [field, mergedBody(merging)];
    return [field, mergeField(values, { ...merging, field })];
  });
  const isOpen = (one: Conflict) => isPage(given.primary) && isOf(one, 'source', 'path');
  const isTitle = (one: Conflict) =>
    isOf(one, 'source', 'titleLine') && conflicts.some((each) => isOf(each, 'title'));
  return {
    record: recordOf(Object.fromEntries(merged) as Fields),
    // The line that spells the title in its file follows the title.
    conflicts: conflicts.filter((one) => !isOpen(one) && !isTitle(one)),
    isFileOpen: conflicts.some(isOpen),
  };
}

/** The versions of a body that both sides changed, each in its own way. Undefined: there is nothing to merge. */
export function bodiesToMerge(given: RecordVersions): Three<WithContent | undefined> | undefined {
  if (agreed<ContentRecord | undefined>(given) || sortOf(given.primary) !== sortOf(given.proposed)) return;
  const bodies = mapThree<ContentRecord | undefined, WithContent | undefined>(
    comparable(given),
    (record) => fieldsOf(record)['body'] as WithContent | undefined,
  );
  return agreed(bodies) ? undefined : bodies;
}

function mergedBody({ entry, documents, texts, report }: Merging): WithContent {
  const merged = documents.get(entry);
  if (merged === undefined) throw new Error(`The body of ${entry} was not merged`);
  for (const conflict of merged.conflicts) report({ kind: 'block', entry, ...conflict });
  return keepDocument(merged, texts);
}

/** An ancestor that was something else has no fields to compare with. */
export function comparable(given: RecordVersions): RecordVersions {
  const isSameSort = given.ancestor !== undefined && sortOf(given.ancestor) === sortOf(given.primary);
  return isSameSort ? given : { ...given, ancestor: undefined };
}

const isOf = (conflict: Conflict, field: string, member?: string): boolean =>
  conflict.kind === 'field' && conflict.field === field && conflict.member === member;

const sortOf = (record: ContentRecord): string => (isPage(record) ? record.type : record.kind);

/** The members of a record, those of a group as one. */
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
 * Parent and position, which both sides changed. A page that only made room for another did not move; one that both moved
 * into the same parent is there, wherever among the others.
 */
function mergePlaces(
  records: Three<ContentRecord | undefined>,
  { entry, report }: Merging,
): Place | undefined {
  const places = mapThree(records, placeOf);
  const madeRoom = mapThree(records, (record) => isRekeyed(records.ancestor, record));
  if (madeRoom.primary !== madeRoom.proposed) return madeRoom.primary ? places.proposed : places.primary;
  const { ancestor, primary, proposed } = places;
  const isMovedAlike = primary?.parent === proposed?.parent && primary?.parent !== ancestor?.parent;
  if (ancestor && primary && proposed && isMovedAlike) {
    // The same one, whichever side is the primary one.
    return primary.position < proposed.position ? primary : proposed;
  }
  report({ kind: 'position', entry, ...versions(places) });
  return places.proposed;
}

export function placeOf(record: ContentRecord | undefined): Place | undefined {
  if (!isPage(record)) return undefined;
  const { parent, position } = record;
  return parent === undefined ? { position } : { parent, position };
}

/** Whether all that is new is the position: a page that someone moved has another `updatedAt` too. */
export const isRekeyed = (before: ContentRecord | undefined, after: ContentRecord | undefined): boolean =>
  isPage(before) && isPage(after) && isSame({ ...before, position: after.position }, after);
