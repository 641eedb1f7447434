import { Budget } from '../budget.ts';
import type { JSONDocument } from '../document/index.ts';
import { hrefReplacements } from '../links/index.ts';
import { hrefsOf, rewriteHrefs, toMarkdown } from '../markdown/index.ts';
import { refKey } from './references.ts';

/** A short href becomes a URL of up to two thousand characters, as often as the page has it. */
const markdownBudget = (): Budget =>
  new Budget(16_000_000, 'is more than 16 MB as Markdown. Split it into smaller pages.');

/** The body with other hrefs. */
export function respellHrefs(text: string, moved: ReadonlyMap<string, string>): string {
  const replacements = hrefReplacements(hrefsOf(text), moved);
  const budget = markdownBudget();
  for (const { href } of replacements) budget.spend(href.length);
  return rewriteHrefs(text, replacements);
}

/** The Markdown of a document. `hrefs` are those of its references, by `refKey`. */
export function writeWithHrefs(document: JSONDocument, hrefs: ReadonlyMap<string, string>): string {
  const budget = markdownBudget();
  return toMarkdown(document, {
    hrefOf: (ref) => {
      const href = hrefs.get(refKey(ref));
      budget.spend(href?.length ?? 0);
      return href;
    },
  });
}
