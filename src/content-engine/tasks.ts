import {
  blocksByKey,
  describeBlocks,
  type JSONDocument,
  type Resolve,
  type Section,
} from './document/index.ts';
import { renderDocument, renderMarkdown, type Visit } from './evaluation/index.ts';
import { hrefOf, respelled } from './links/index.ts';
import {
  analyse,
  editMarkdown,
  hrefsOf,
  parseDocument,
  rewriteHrefs,
  toMarkdown,
  type Warning,
} from './markdown/index.ts';
import { bodyTasks, carryKeys, revertBlocks, unknownBlocks } from './merge/index.ts';
import type { ContentRef } from './tree/index.ts';

/** What the addresses of a text refer to: those that are not in it stay URLs. */
export type Targets = ReadonlyMap<string, ContentRef>;

const resolverIn =
  (targets: Targets): Resolve =>
  ({ href }) =>
    targets.get(href);

/** What is stored and indexed of a body, without its document. */
export interface BodyAnalysis {
  readonly sections: readonly Section[];
  /** Each address once. */
  readonly hrefs: readonly string[];
  readonly warnings: readonly Warning[];
}

/** More would say nothing new, and fill the answer. */
const MAX_WARNINGS = 100;

function analyseBody(body: string): BodyAnalysis {
  const { sections, hrefs, warnings } = analyse(body);
  return { sections, hrefs: distinct(hrefs), warnings: warnings.slice(0, MAX_WARNINGS) };
}

const listHrefs = (body: string): readonly string[] => distinct(hrefsOf(body));

const distinct = (hrefs: readonly { readonly href: string }[]): string[] => [
  ...new Set(hrefs.map(({ href }) => href)),
];

/** Blocks of the text before, by their keys. */
interface Revised {
  readonly before: string;
  readonly after: string;
  readonly keys: readonly string[];
}

/** A key that neither text has, or the text with these blocks as they were before. */
function revertBody({
  before,
  after,
  keys,
}: Revised): { readonly unknown: string } | { readonly text: string } {
  const [unknown] = unknownBlocks(before, after, keys);
  return unknown === undefined ? { text: revertBlocks(before, after, new Set(keys)) } : { unknown };
}

/**
 * The functions of the engine that run in threads, by name. Each takes one argument that can be copied between threads,
 * and answers what can be copied; a large answer is bytes.
 */
export const tasks = {
  analyseBody,
  listHrefs,
  revertBody,
  findBlocks: ({ body, keys }: { body: string; keys: readonly string[] }) =>
    describeBlocks(blocksByKey(parseDocument(body)), keys),
  carryKeys: ({ before, after, keys }: Revised) => carryKeys(before, after, keys),
  documentJson: ({ text, targets, visit }: { text: string; targets: Targets; visit: Visit | undefined }) =>
    renderDocument(text, resolverIn(targets), visit),
  evaluateMarkdown: ({ text, targets, visit }: { text: string; targets: Targets; visit: Visit }) =>
    renderMarkdown(text, resolverIn(targets), visit),
  respellHrefs: ({ text, moved }: { text: string; moved: ReadonlyMap<string, string> }) =>
    rewriteHrefs(text, respelled(hrefsOf(text), moved)),
  writeBody: (document: JSONDocument) => toMarkdown(document, { hrefOf }),
  editBody: ({ text, document, targets }: { text: string; document: JSONDocument; targets: Targets }) =>
    editMarkdown(text, document, { resolve: resolverIn(targets), hrefOf }),
  ...bodyTasks,
};
