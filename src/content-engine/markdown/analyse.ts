import {
  anchorsIn,
  expressionsIn,
  headingsIn,
  plainText,
  sectionsIn,
  specsIn,
  type Heading,
  type Href,
  type JSONDocument,
  type Resolve,
  type Section,
} from '../document/index.ts';
import { parse, type Parsed } from './parse.ts';
import { rangesOf, type BlockRange } from './ranges.ts';
import type { Warning } from './scan/token.ts';

export interface ReadOptions {
  /** Finds the object of an address. Without it, addresses stay URLs. */
  readonly resolve?: Resolve;
  /** Default: the limit of pages. Beyond it, `BudgetExceeded` is thrown. */
  readonly maxNodes?: number;
}

/** All that follows from the text of a body, read once; each part is made when it is first asked for. */
export interface Analysis {
  readonly document: JSONDocument;
  readonly blocks: readonly BlockRange[];
  readonly headings: readonly Heading[];
  readonly sections: readonly Section[];
  /** Anchors of headings, tabs and expandables. */
  readonly anchors: readonly string[];
  readonly hrefs: readonly Href[];
  /** The specifications that its blocks show, by name or URL. */
  readonly specs: readonly string[];
  readonly expressions: readonly string[];
  readonly plainText: string;
  readonly warnings: readonly Warning[];
}

export function analyse(body: string, options: ReadOptions = {}): Analysis {
  const parsed = lazy((): Parsed => parse(body, options.resolve, options.maxNodes));
  const blocks = lazy(() => rangesOf(parsed()));
  const headings = lazy(() => headingsIn(parsed().document));
  const sections = lazy(() => sectionsIn(parsed().document));
  const anchors = lazy(() => anchorsIn(parsed().document));
  const expressions = lazy(() => expressionsIn(parsed().document));
  const specs = lazy(() => specsIn(parsed().document));
  const text = lazy(() => plainText(parsed().document));
  return {
    get document() {
      return parsed().document;
    },
    get blocks() {
      return blocks();
    },
    get headings() {
      return headings();
    },
    get sections() {
      return sections();
    },
    get anchors() {
      return anchors();
    },
    get hrefs() {
      return parsed().hrefs;
    },
    get specs() {
      return specs();
    },
    get expressions() {
      return expressions();
    },
    get plainText() {
      return text();
    },
    get warnings() {
      return parsed().warnings;
    },
  };
}

function lazy<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** The stored and indexed results of analysing a body. */
export interface BodyAnalysis {
  readonly sections: readonly Section[];
  /** The distinct hrefs. */
  readonly hrefs: readonly string[];
  /** Those whose target becomes part of the page: includes, and blocks of a specification. */
  readonly dependencies: readonly string[];
  /** The specifications that its blocks show, by name or URL. */
  readonly specs: readonly string[];
  /** The anchors of headings, tabs and expandables. */
  readonly anchors: readonly string[];
  readonly warnings: readonly Warning[];
}

/** Bounds the size of the response. */
const MAX_WARNINGS = 100;

export const bodyAnalysisOf = ({
  sections,
  hrefs,
  specs,
  anchors,
  warnings,
}: Pick<Analysis, 'sections' | 'hrefs' | 'specs' | 'anchors' | 'warnings'>): BodyAnalysis => ({
  sections,
  hrefs: distinct(hrefs),
  specs,
  dependencies: distinct(hrefs.filter(({ kind }) => kind === 'include' || kind === 'openapi')),
  anchors,
  warnings: warnings.slice(0, MAX_WARNINGS),
});

export const analyseBody = (body: string): BodyAnalysis => bodyAnalysisOf(analyse(body));

const distinct = (hrefs: readonly { readonly href: string }[]): string[] => [
  ...new Set(hrefs.map(({ href }) => href)),
];
