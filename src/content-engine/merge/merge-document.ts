import { ComparisonBudget } from '../diff/index.ts';
import { targetOf } from '../links/index.ts';
import type { ContentRef, LinkTable } from '../tree/index.ts';
import { mergeBody, type BodyConflict } from './body/merge-body.ts';
import { isEqual, mapVersions, type Versions } from './versions.ts';
import { disambiguateLinks, targetIn, type LinkedBody } from './disambiguate-links.ts';

/** A body and its link targets in three versions. */
export interface DocumentVersions {
  readonly versions: Versions<LinkedBody>;
  /** Ids of the link targets that one side has and the other did not delete. */
  readonly present: ReadonlySet<string>;
  /** The maximum number of comparisons. */
  readonly budget: number;
}

export interface MergedDocument extends LinkedBody {
  readonly conflicts: readonly BodyConflict[];
}

/** Merges the body block by block. The link table of the result has only hrefs that occur in it. */
export function mergeDocument({ versions, present, budget }: DocumentVersions): MergedDocument {
  const { bodies, tables } = disambiguateLinks(versions, (id) => present.has(id));
  const { text, conflicts, analysis } = mergeBody(bodies, new ComparisonBudget(budget));
  const links = mergeLinks(tables, new Set(analysis.hrefs.map(({ href }) => href)));
  return { text, links, conflicts };
}

/** Ids of the entries that a version links to. */
export const targetsIn = ({ links }: LinkedBody): string[] =>
  Object.values(links).flatMap((ref) => targetOf(ref) ?? []);

/** The target of each href on the side that wrote it. An href with two targets keeps the one that still exists. */
function mergeLinks(tables: Versions<LinkTable>, hrefs: ReadonlySet<string>): LinkTable {
  const entries = [...hrefs].flatMap((href): [string, ContentRef][] => {
    const { ancestor, primary, proposed } = mapVersions(tables, (table) => targetIn(table, href));
    const isOld = proposed === undefined || (primary !== undefined && isEqual(proposed, ancestor));
    const ref = isOld ? primary : proposed;
    return ref === undefined ? [] : [[href, ref]];
  });
  return Object.fromEntries(entries);
}
