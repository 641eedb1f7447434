import { Budget } from '../budget.ts';
import type { JSONDocument } from '../document/index.ts';
import { hrefReplacements } from '../links/index.ts';
import { hrefsOf, rewriteHrefs, toMarkdown } from '../markdown/index.ts';
import { refKey } from './references.ts';

/** On sites, a short href becomes a URL of up to two thousand characters, as often as the page has it. */
const urlBudget = (): Budget =>
  new Budget(16_000_000, 'is more than 16 MB as Markdown. Split it into smaller pages.');

export interface RespelledHrefs {
  readonly text: string;
  readonly moved: ReadonlyMap<string, string>;
  /** Whether they are URLs of a site. */
  readonly areUrls?: boolean;
}

/** The body with other hrefs. */
export function respellHrefs({ text, moved, areUrls = false }: RespelledHrefs): string {
  const replacements = hrefReplacements(hrefsOf(text), moved);
  const budget = areUrls ? urlBudget() : undefined;
  for (const { href } of replacements) budget?.spend(href.length);
  return rewriteHrefs(text, replacements);
}

/** The Markdown of a document of a site. `hrefs` are those of its references, by `refKey`. */
export function writeWithHrefs(document: JSONDocument, hrefs: ReadonlyMap<string, string>): string {
  const budget = urlBudget();
  return toMarkdown(document, {
    hrefOf: (ref) => {
      const href = hrefs.get(refKey(ref));
      budget.spend(href?.length ?? 0);
      return href;
    },
  });
}
