import {
  blocksByKey,
  describeBlocks,
  readSentDocument,
  sectionsIn,
  updatesIn,
  type JSONDocument,
  type Problem,
  type SentDocument,
} from './document/index.ts';
import { isBudgetExceeded } from './budget.ts';
import {
  expandIncludes,
  parseBody,
  parsePage,
  referencesIn,
  renderDocument,
  renderMarkdown,
  resolverIn,
  respellHrefs,
  writeWithHrefs,
  type BodySource,
  type PageSource,
  type Targets,
  type Visit,
} from './evaluation/index.ts';
import {
  convertPage,
  NotText,
  PageParser,
  type ConvertInput,
  type ConvertOutcome,
  type NavigationItem,
} from './html/index.ts';
import { splitJson } from './json-parts.ts';
import { hrefOf } from './links/index.ts';
import { analyseBody, editMarkdown, hrefsOf, parseDocument, toMarkdown } from './markdown/index.ts';
import { bodyTasks, followKeys, revertBlocks, unknownBlocks } from './merge/index.ts';
import { renderSource } from './render/html/index.ts';
import { runToEnd } from './run-to-end.ts';
import { buildSegment, matchingSections, type SegmentInput, type Term } from './search/index.ts';

const listHrefs = (body: string): readonly string[] => [...new Set(hrefsOf(body).map(({ href }) => href))];

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

/** The Markdown of a document that a client sent, or the first problem of the document. */
export type Written = { readonly text: string } | { readonly problem: Problem };

function write(sent: SentDocument, textOf: (document: JSONDocument) => string): Written {
  const read = readSentDocument(sent);
  return 'problem' in read ? read : { text: textOf(read.document) };
}

/**
 * Each page by itself: one that cannot be converted does not fail the others. Pages with the same navigation share it, so
 * that it is copied between threads once.
 */
const convertPages = (inputs: readonly ConvertInput[]): ConvertOutcome[] => {
  let shared: readonly NavigationItem[] = [];
  const parser = inputs.length > 1 ? new PageParser() : undefined;
  return inputs.map((input) => {
    try {
      const page = convertPage(input, parser);
      if (!sameNavigation(page.navigation, shared)) shared = page.navigation;
      return { page: { ...page, navigation: shared } };
    } catch (error) {
      if (isBudgetExceeded(error)) return { failure: `The page ${error.message}`, isTooLarge: true };
      if (error instanceof NotText) return { failure: `The page ${error.message}` };
      throw error;
    }
  });
};

const sameNavigation = (one: readonly NavigationItem[], other: readonly NavigationItem[]): boolean =>
  one === other ||
  (one.length === other.length &&
    one.every(({ depth, title, url }, index) => {
      const item = other[index];
      return item?.depth === depth && item.title === title && item.url === url;
    }));

/** A body for a visitor. */
interface VisitedBody {
  readonly body: BodySource;
  readonly visit: Visit;
}

interface UpdateLimits {
  readonly maxUpdates: number;
  readonly maxText: number;
}

/**
 * The functions of the engine that run in threads, by name. Argument and result can be copied between threads; a large
 * result is bytes or texts.
 */
export const tasks = {
  analyseBody,
  buildSegment: (input: SegmentInput) => runToEnd(buildSegment(input)),
  convertPages,
  listHrefs,
  revertBody,
  findBlocks: ({ body, keys }: { body: string; keys: readonly string[] }) =>
    describeBlocks(blocksByKey(parseDocument(body)), keys),
  followKeys: ({ before, after, keys }: EditedBody) => followKeys(before, after, keys),
  documentJson: ({ text, targets, visit }: { text: string; targets: Targets; visit: Visit | undefined }) =>
    renderDocument(text, resolverIn(targets), visit),
  /** What search results and feeds of sites show of a page. */
  findSections: ({ body, visit, terms }: VisitedBody & { terms: readonly Term[] }) =>
    matchingSections(sectionsIn(parseBody(body, visit)), terms),
  listUpdates: ({ body, visit, maxUpdates, maxText }: VisitedBody & UpdateLimits) =>
    updatesIn(parseBody(body, visit), maxUpdates, maxText),
  evaluateMarkdown: ({ text, targets, visit }: { text: string; targets: Targets; visit: Visit }) =>
    renderMarkdown(text, resolverIn(targets), visit),
  respellHrefs,
  /** As parts of JSON. */
  listReferences: ({ body, visit }: VisitedBody): string[] => splitJson(referencesIn(parseBody(body, visit))),
  /** A page of a site with its includes, as HTML. */
  renderSource,
  /** The same as Markdown. `hrefs` are the addresses of its references, by `refKey`. */
  writeSource: ({ source, hrefs }: { source: PageSource; hrefs: ReadonlyMap<string, string> }): string => {
    const { document, contentOf } = parsePage(source);
    return writeWithHrefs(expandIncludes(document, contentOf), hrefs);
  },
  writeBody: (sent: SentDocument) => write(sent, (document) => toMarkdown(document, { hrefOf })),
  editBody: ({ text, sent, targets }: { text: string; sent: SentDocument; targets: Targets }) =>
    write(sent, (document) => editMarkdown(text, document, { resolve: resolverIn(targets), hrefOf })),
  ...bodyTasks,
};
