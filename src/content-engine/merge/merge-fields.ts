import type { ComparisonBudget } from '../diff/index.ts';
import type { Inline, PageSource, SourceText } from '../tree/index.ts';
import { mergeLines } from './body/merge-text.ts';
import type { Conflict } from './conflict.ts';
import type { MergedDocument } from './merge-document.ts';
import type { Texts } from './text-store.ts';
import { agreed, mapThree, versions, type Three } from './versions.ts';

export type Fields = Readonly<Record<string, unknown>>;

export interface Merging {
  readonly entry: string;
  readonly texts: Texts;
  /** The bodies that both sides changed, merged, by their entries. */
  readonly documents: ReadonlyMap<string, MergedDocument>;
  readonly budget: ComparisonBudget;
  readonly report: (conflict: Conflict) => void;
}

interface At extends Merging {
  readonly field: string;
  readonly member?: string;
}

/** A value that both sides changed, each in its own way. */
export function mergeField(values: Three<unknown>, at: At): unknown {
  switch (at.field) {
    case 'createdAt':
      return Math.min(...numbersIn(values));
    case 'updatedAt':
      return Math.max(...numbersIn(values));
    case 'layout':
    case 'variables':
      return mergeMembers(values as Three<Fields | undefined>, at, atom);
    case 'values':
      return mergeMembers(values as Three<Fields | undefined>, at, atom) ?? {};
    case 'tags':
      return mergeTags(values, at);
    case 'source':
    case 'summary':
    case 'configuration':
    case 'tagsSource':
      return mergeSource(values as Three<PageSource | SourceText | undefined>, at);
    default:
      return atom(values, at);
  }
}

const numbersIn = ({ primary, proposed }: Three<unknown>): number[] =>
  [primary, proposed].filter((value) => typeof value === 'number');

/** What is one thing: the proposed one stands. */
export function atom(values: Three<unknown>, { entry, field, member, report }: At): unknown {
  report({
    kind: 'field',
    entry,
    field,
    ...(member === undefined ? {} : { member }),
    ...versions(values),
  });
  return values.proposed;
}

/** Undefined when no member is left: a record does not keep what is empty. */
function mergeMembers(
  values: Three<Fields | undefined>,
  at: At,
  merge: (values: Three<unknown>, at: At) => unknown,
): Fields | undefined {
  const names = new Set([...Object.keys(values.primary ?? {}), ...Object.keys(values.proposed ?? {})]);
  const merged = [...names].map((member) => {
    const three = mapThree(values, (each) =>
      each && Object.hasOwn(each, member) ? each[member] : undefined,
    );
    const known = agreed(three);
    return [member, known === undefined ? merge(three, { ...at, member }) : known.value] as const;
  });
  const left = merged.filter(([, value]) => value !== undefined);
  return left.length === 0 ? undefined : Object.fromEntries(left);
}

/** Tags that came and tags that went. Where a side changed their order they are one thing. */
function mergeTags(values: Three<unknown>, at: At): unknown {
  const { ancestor = [], primary = [], proposed = [] } = values as Partial<Three<readonly unknown[]>>;
  const keptOf = (side: readonly unknown[]) => ancestor.filter((tag) => side.includes(tag));
  const isAddition = (side: readonly unknown[]) =>
    side.every((tag) => typeof tag === 'string') && keptOf(side).every((tag, index) => side[index] === tag);
  if (!isAddition(primary) || !isAddition(proposed)) return atom(values, at);
  const come = [...new Set([...primary, ...proposed])].filter((tag) => !ancestor.includes(tag));
  const merged = [...keptOf(primary).filter((tag) => proposed.includes(tag)), ...come.toSorted()];
  return merged.length === 0 ? undefined : merged;
}

/** Where an entry came from: its pieces one by one, texts by line. One that a side took away is one thing. */
function mergeSource(values: Three<PageSource | SourceText | undefined>, at: At): unknown {
  if (values.primary === undefined || values.proposed === undefined) return atom(values, at);
  return mergeMembers(values as unknown as Three<Fields | undefined>, at, (pieces, at) => {
    if (at.member !== 'frontmatter' && at.member !== 'text') return atom(pieces, at);
    const texts = mapThree(pieces as Three<Inline<string> | undefined>, (text) =>
      text === undefined ? undefined : at.texts.value<string>(text),
    );
    const filled = mapThree(texts, (text) => text ?? '');
    const merged =
      at.member === 'frontmatter' ? mergeFrontmatter(filled, at.budget) : mergeLines(filled, at.budget);
    const text = merged ?? (atom(texts, at) as string | undefined);
    return text === undefined || text === '' ? undefined : at.texts.inline(text);
  });
}

/** Lines of a frontmatter are fields, so that one may change beside another. */
function mergeFrontmatter(texts: Three<string>, budget: ComparisonBudget): string | undefined {
  const byLine = mergeLines(texts, budget);
  if (byLine !== undefined) return byLine;
  const { ancestor, primary, proposed } = mapThree(texts, (text) => text.split('\n'));
  if (ancestor.length !== primary.length || ancestor.length !== proposed.length) return undefined;
  const lines = ancestor.map((line, index) =>
    agreed({ ancestor: line, primary: primary[index] ?? '', proposed: proposed[index] ?? '' }),
  );
  return lines.every((line) => line !== undefined) ? lines.map(({ value }) => value).join('\n') : undefined;
}
