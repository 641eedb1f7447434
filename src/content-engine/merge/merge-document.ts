import { ComparisonBudget } from '../diff/index.ts';
import { targetOf } from '../links/index.ts';
import type { ContentRef, LinkTable } from '../tree/index.ts';
import { mergeAnalysed, type BodyConflict } from './body/merge-body.ts';
import { isEqual, mapThree, type Three } from './versions.ts';
import { meaningOf, toldApart, type Written } from './disambiguate-links.ts';

/** A body and where its links lead, in three versions. Can be copied to another thread. */
export interface DocumentVersions {
  readonly versions: Three<Written>;
  /** Ids of the entries that links may lead to: those that one side has, and the other did not delete. */
  readonly present: ReadonlySet<string>;
  /** Comparisons that merging it may take. */
  readonly budget: number;
}

export interface MergedDocument extends Written {
  readonly conflicts: readonly BodyConflict[];
}

/** The body block by block, and of the links those that it has. */
export function mergeDocument({ versions, present, budget }: DocumentVersions): MergedDocument {
  const { bodies, tables } = toldApart(versions, (id) => present.has(id));
  const { text, conflicts, analysis } = mergeAnalysed(bodies, new ComparisonBudget(budget));
  const links = mergeLinks(tables, new Set(analysis.hrefs.map(({ href }) => href)));
  return { text, links, conflicts };
}

/** Ids of the entries that the links of a version lead to. */
export const targetsIn = ({ links }: Written): string[] =>
  Object.values(links).flatMap((ref) => targetOf(ref) ?? []);

/** What an href meant where it was written. Where it meant two things, one of them is gone. */
function mergeLinks(tables: Three<LinkTable>, hrefs: ReadonlySet<string>): LinkTable {
  const entries = [...hrefs].flatMap((href): [string, ContentRef][] => {
    const { ancestor, primary, proposed } = mapThree(tables, (table) => meaningOf(table, href));
    const isOld = proposed === undefined || (primary !== undefined && isEqual(proposed, ancestor));
    const ref = isOld ? primary : proposed;
    return ref === undefined ? [] : [[href, ref]];
  });
  return Object.fromEntries(entries);
}
