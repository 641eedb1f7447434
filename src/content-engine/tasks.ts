import {
  blocksByKey,
  describeBlocks,
  type JSONDocument,
  type Resolve,
  type Section,
} from './document/index.ts';
import { renderDocument, renderMarkdown, type Visit } from './evaluation/index.ts';
import { hrefOf, hrefReplacements } from './links/index.ts';
import {
  analyse,
  editMarkdown,
  hrefsOf,
  parseDocument,
  rewriteHrefs,
  toMarkdown,
  type Analysis,
  type Warning,
} from './markdown/index.ts';
import { bodyTasks, followKeys, revertBlocks, unknownBlocks } from './merge/index.ts';
import type { ContentRef } from './tree/index.ts';

/** The targets of the hrefs of a text. Other hrefs stay URLs. */
export type Targets = ReadonlyMap<string, ContentRef>;

const resolverIn =
  (targets: Targets): Resolve =>
  ({ href }) =>
    targets.get(href);

/** The stored and indexed results of analysing a body. */
export interface BodyAnalysis {
  readonly sections: readonly Section[];
  /** The distinct hrefs. */
  readonly hrefs: readonly string[];
  /** Those whose target becomes part of the page: includes, and blocks of a specification. */
  readonly dependencies: readonly string[];
  /** Of headings, tabs and expandables. */
  readonly anchors: readonly string[];
  readonly warnings: readonly Warning[];
}

/** Bounds the size of the response. */
const MAX_WARNINGS = 100;

export const bodyAnalysisOf = ({
  sections,
  hrefs,
  anchors,
  warnings,
}: Pick<Analysis, 'sections' | 'hrefs' | 'anchors' | 'warnings'>): BodyAnalysis => ({
  sections,
  hrefs: distinct(hrefs),
  dependencies: distinct(hrefs.filter(({ kind }) => kind === 'include' || kind === 'openapi')),
  anchors,
  warnings: warnings.slice(0, MAX_WARNINGS),
});

const analyseBody = (body: string): BodyAnalysis => bodyAnalysisOf(analyse(body));

const listHrefs = (body: string): readonly string[] => distinct(hrefsOf(body));

const distinct = (hrefs: readonly { readonly href: string }[]): string[] => [
  ...new Set(hrefs.map(({ href }) => href)),
];

/** Two versions of a body, and keys of blocks. */
interface EditedBody {
  readonly before: string;
  readonly after: string;
  readonly keys: readonly string[];
}

/** Reverts blocks, or returns the first unknown key. */
function revertBody({
  before,
  after,
  keys,
}: EditedBody): { readonly unknown: string } | { readonly text: string } {
  const [unknown] = unknownBlocks(before, after, keys);
  return unknown === undefined ? { text: revertBlocks(before, after, new Set(keys)) } : { unknown };
}

/**
 * The functions of the engine that run in threads, by name. Argument and result can be copied between threads; a large
 * result is bytes.
 */
export const tasks = {
  analyseBody,
  listHrefs,
  revertBody,
  findBlocks: ({ body, keys }: { body: string; keys: readonly string[] }) =>
    describeBlocks(blocksByKey(parseDocument(body)), keys),
  followKeys: ({ before, after, keys }: EditedBody) => followKeys(before, after, keys),
  documentJson: ({ text, targets, visit }: { text: string; targets: Targets; visit: Visit | undefined }) =>
    renderDocument(text, resolverIn(targets), visit),
  evaluateMarkdown: ({ text, targets, visit }: { text: string; targets: Targets; visit: Visit }) =>
    renderMarkdown(text, resolverIn(targets), visit),
  respellHrefs: ({ text, moved }: { text: string; moved: ReadonlyMap<string, string> }) =>
    rewriteHrefs(text, hrefReplacements(hrefsOf(text), moved)),
  writeBody: (document: JSONDocument) => toMarkdown(document, { hrefOf }),
  editBody: ({ text, document, targets }: { text: string; document: JSONDocument; targets: Targets }) =>
    editMarkdown(text, document, { resolve: resolverIn(targets), hrefOf }),
  ...bodyTasks,
};
