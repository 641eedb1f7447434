import { hrefById, respelled, targetOf } from '../links/index.ts';
import { hrefsOf, rewriteHrefs } from '../markdown/index.ts';
import type { ContentRef, LinkTable } from '../tree/index.ts';
import { isEqual, mapThree, type Three } from './versions.ts';

/** A body, and where its links lead. */
export interface Written {
  readonly text: string;
  readonly links: LinkTable;
}

interface ToldApart {
  readonly bodies: Three<string>;
  readonly tables: Three<LinkTable>;
}

/**
 * On one page the same spelling means the same. An href that means one thing in the primary body and another in the
 * proposed one is spelled by id in the latter, so that each still leads where it led. The ancestor goes with the side that
 * did not give it another meaning, so that nothing looks changed there.
 */
export function toldApart(written: Three<Written>, isThere: (id: string) => boolean): ToldApart {
  const { ancestor, primary, proposed } = mapThree(written, ({ links }) => links);
  const leads = (ref: ContentRef | undefined) => ref !== undefined && isThere(targetOf(ref) ?? '');
  const ambiguous = Object.entries(proposed).filter(([href, ref]) => {
    const other = meaningOf(primary, href);
    return leads(ref) && leads(other) && !isEqual(ref, other);
  });
  const spelled = new Map(ambiguous.map(([href, ref]) => [href, hrefById(href, ref)]));
  const old = new Map([...spelled].filter(([href]) => isEqual(meaningOf(ancestor, href), proposed[href])));
  const three = {
    ancestor: respell(written.ancestor, old),
    primary: written.primary,
    proposed: respell(written.proposed, spelled),
  };
  return { bodies: mapThree(three, ({ text }) => text), tables: mapThree(three, ({ links }) => links) };
}

function respell({ text, links }: Written, spelled: ReadonlyMap<string, string>): Written {
  if (spelled.size === 0) return { text, links };
  return {
    text: rewriteHrefs(text, respelled(hrefsOf(text), spelled)),
    links: Object.fromEntries(Object.entries(links).map(([href, ref]) => [spelled.get(href) ?? href, ref])),
  };
}

export const meaningOf = (table: LinkTable, href: string): ContentRef | undefined =>
  Object.hasOwn(table, href) ? table[href] : undefined;
