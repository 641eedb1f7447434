import { hrefById, hrefReplacements, targetOf } from '../links/index.ts';
import { hrefsOf, rewriteHrefs } from '../markdown/index.ts';
import type { ContentRef, LinkTable } from '../tree/index.ts';
import { isEqual, mapVersions, type Versions } from './versions.ts';

/** A body and the targets of its links. */
export interface LinkedBody {
  readonly text: string;
  readonly links: LinkTable;
}

interface DisambiguatedLinks {
  readonly bodies: Versions<string>;
  readonly tables: Versions<LinkTable>;
}

/**
 * On one page, equal hrefs have one target. An href with different targets in the primary and the proposed body is
 * written by id in the proposed one, so that both links keep their targets. The ancestor follows the side that did not
 * change the target, so that this side shows no edit.
 */
export function disambiguateLinks(
  bodies: Versions<LinkedBody>,
  exists: (id: string) => boolean,
): DisambiguatedLinks {
  const { ancestor, primary, proposed } = mapVersions(bodies, ({ links }) => links);
  const isResolved = (ref: ContentRef | undefined) => ref !== undefined && exists(targetOf(ref) ?? '');
  const ambiguous = Object.entries(proposed).filter(([href, ref]) => {
    const other = targetIn(primary, href);
    return isResolved(ref) && isResolved(other) && !isEqual(ref, other);
  });
  const byId = new Map(ambiguous.map(([href, ref]) => [href, hrefById(href, ref)]));
  const sameInAncestor = new Map(
    [...byId].filter(([href]) => isEqual(targetIn(ancestor, href), proposed[href])),
  );
  const versions = {
    ancestor: replaceHrefs(bodies.ancestor, sameInAncestor),
    primary: bodies.primary,
    proposed: replaceHrefs(bodies.proposed, byId),
  };
  return {
    bodies: mapVersions(versions, ({ text }) => text),
    tables: mapVersions(versions, ({ links }) => links),
  };
}

function replaceHrefs({ text, links }: LinkedBody, replacements: ReadonlyMap<string, string>): LinkedBody {
  if (replacements.size === 0) return { text, links };
  return {
    text: rewriteHrefs(text, hrefReplacements(hrefsOf(text), replacements)),
    links: Object.fromEntries(
      Object.entries(links).map(([href, ref]) => [replacements.get(href) ?? href, ref]),
    ),
  };
}

export const targetIn = (table: LinkTable, href: string): ContentRef | undefined =>
  Object.hasOwn(table, href) ? table[href] : undefined;
