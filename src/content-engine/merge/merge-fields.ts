import type { ComparisonBudget } from '../diff/index.ts';
import { fieldOfMember, PAGE_FIELDS, type Inline, type PageSource, type SourceText } from '../tree/index.ts';
import { mergeLines } from './body/merge-text.ts';
import type { Conflict } from './conflicts/conflict.ts';
import type { MergedDocument } from './merge-document.ts';
import type { TextStore } from './text-store.ts';
import { mapVersions, presentVersions, trivialMerge, type Versions } from './versions.ts';

export type Fields = Readonly<Record<string, unknown>>;

export interface MergeContext {
  readonly entry: string;
  readonly texts: TextStore;
  /** The merged bodies by entry, of the entries whose body both sides changed. */
  readonly documents: ReadonlyMap<string, MergedDocument>;
  readonly budget: ComparisonBudget;
  readonly report: (conflict: Conflict) => void;
}

interface FieldContext extends MergeContext {
  readonly field: string;
  readonly member?: string;
}

/** Merges a field that both sides changed differently. */
export function mergeField(values: Versions<unknown>, at: FieldContext): unknown {
  switch (at.field) {
    case 'createdAt':
      return Math.min(...numbersIn(values));
    case 'updatedAt':
      return Math.max(...numbersIn(values));
    case 'values':
      return mergeMembers(values as Versions<Fields | undefined>, at, reportFieldConflict) ?? {};
    case 'source':
    case 'summary':
    case 'configuration':
    case 'tagsSource':
      return mergeSource(values as Versions<PageSource | SourceText | undefined>, at);
    default:
      return mergePageField(values, at);
  }
}

function mergePageField(values: Versions<unknown>, at: FieldContext): unknown {
  const field = fieldOfMember(at.field);
  switch (field && PAGE_FIELDS[field].shape) {
    case 'layout':
    case 'variables':
      return mergeMembers(values as Versions<Fields | undefined>, at, reportFieldConflict);
    case 'tags':
      return mergeTags(values, at);
    default:
      return reportFieldConflict(values, at);
  }
}

const numbersIn = ({ primary, proposed }: Versions<unknown>): number[] =>
  [primary, proposed].filter((value) => typeof value === 'number');

/** Reports a conflict for a value that cannot be merged, and returns the proposed value. */
export function reportFieldConflict(
  values: Versions<unknown>,
  { entry, field, member, report }: FieldContext,
): unknown {
  report({
    kind: 'field',
    entry,
    field,
    ...(member === undefined ? {} : { member }),
    ...presentVersions(values),
  });
  return values.proposed;
}

/** Undefined: no member is left. Records omit empty members. */
function mergeMembers(
  values: Versions<Fields | undefined>,
  at: FieldContext,
  merge: (values: Versions<unknown>, at: FieldContext) => unknown,
): Fields | undefined {
  const names = new Set([...Object.keys(values.primary ?? {}), ...Object.keys(values.proposed ?? {})]);
  const merged = [...names].map((member) => {
    const versions = mapVersions(values, (each) =>
      each && Object.hasOwn(each, member) ? each[member] : undefined,
    );
    const known = trivialMerge(versions);
    return [member, known === undefined ? merge(versions, { ...at, member }) : known.value] as const;
  });
  const left = merged.filter(([, value]) => value !== undefined);
  return left.length === 0 ? undefined : Object.fromEntries(left);
}

/** Merges added and removed tags. If a side reordered the tags, the list is one value. */
function mergeTags(values: Versions<unknown>, at: FieldContext): unknown {
  const { ancestor = [], primary = [], proposed = [] } = values as Partial<Versions<readonly unknown[]>>;
  const retainedBy = (side: readonly unknown[]) => ancestor.filter((tag) => side.includes(tag));
  const isInOrder = (side: readonly unknown[]) =>
    side.every((tag) => typeof tag === 'string') &&
    retainedBy(side).every((tag, index) => side[index] === tag);
  if (!isInOrder(primary) || !isInOrder(proposed)) return reportFieldConflict(values, at);
  const added = [...new Set([...primary, ...proposed])].filter((tag) => !ancestor.includes(tag));
  const merged = [...retainedBy(primary).filter((tag) => proposed.includes(tag)), ...added.toSorted()];
  return merged.length === 0 ? undefined : merged;
}

/** Merges the source of an entry member by member, texts by line. A source that a side removed is one value. */
function mergeSource(values: Versions<PageSource | SourceText | undefined>, at: FieldContext): unknown {
  if (values.primary === undefined || values.proposed === undefined) return reportFieldConflict(values, at);
  return mergeMembers(values as unknown as Versions<Fields | undefined>, at, (pieces, at) => {
    if (at.member !== 'frontmatter' && at.member !== 'text') return reportFieldConflict(pieces, at);
    const texts = mapVersions(pieces as Versions<Inline<string> | undefined>, (text) =>
      text === undefined ? undefined : at.texts.value<string>(text),
    );
    const filled = mapVersions(texts, (text) => text ?? '');
    const merged =
      at.member === 'frontmatter' ? mergeFrontmatter(filled, at.budget) : mergeLines(filled, at.budget);
    const text = merged ?? (reportFieldConflict(texts, at) as string | undefined);
    return text === undefined || text === '' ? undefined : at.texts.inline(text);
  });
}

/** Lines of frontmatter are fields, so that adjacent lines can change independently. */
function mergeFrontmatter(texts: Versions<string>, budget: ComparisonBudget): string | undefined {
  const byLine = mergeLines(texts, budget);
  if (byLine !== undefined) return byLine;
  const { ancestor, primary, proposed } = mapVersions(texts, (text) => text.split('\n'));
  if (ancestor.length !== primary.length || ancestor.length !== proposed.length) return undefined;
  const lines = ancestor.map((line, index) =>
    trivialMerge({ ancestor: line, primary: primary[index] ?? '', proposed: proposed[index] ?? '' }),
  );
  return lines.every((line) => line !== undefined) ? lines.map(({ value }) => value).join('\n') : undefined;
}
