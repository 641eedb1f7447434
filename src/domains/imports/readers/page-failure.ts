import type { ConvertedPage, ConvertOutcome } from '../../../content-engine/html/index.ts';
import { MAX_SOURCE } from '../../content/index.ts';
import { ImportError } from '../folder/imported-folder.ts';

/** Why a page cannot be converted. */
export type PageFailure = Extract<ConvertOutcome, { readonly failure: string }>;

/** Without this page there is nothing to import. */
export const notConvertible = (what: string, { failure, isTooLarge }: PageFailure): ImportError =>
  new ImportError(
    isTooLarge ? 413 : 422,
    `${what} cannot be imported: ${failure}`,
    adviceOn(failure, isTooLarge),
  );

function adviceOn(failure: string, isTooLarge: boolean | undefined): string | undefined {
  if (!isTooLarge) return 'Check the URL and `source`.';
  return failure.includes('Split it') ? undefined : 'Split it into smaller pages.';
}

/** The Markdown of a page can be larger than its HTML. */
export const failureOfSize = ({ markdown }: ConvertedPage): PageFailure | undefined =>
  Buffer.byteLength(markdown) > MAX_SOURCE
    ? { failure: `The page exceeds ${MAX_SOURCE / 2 ** 20} MB of Markdown.`, isTooLarge: true }
    : undefined;
