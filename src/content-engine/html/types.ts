import type { Analysis } from '../markdown/index.ts';

export interface ConvertInput {
  readonly kind: 'html' | 'markdown' | 'csv';
  readonly bytes: Uint8Array;
  /** `Content-Type` as it was received; charset detection starts with it. */
  readonly contentType?: string;
  /** Absolute; of an archive: `http://archive.invalid/<path>`. The base of relative hrefs. */
  readonly url: string;
  /** Default: detected. */
  readonly generator?: Generator | undefined;
  /** A page of a database of Notion, with its properties below the title. */
  readonly hasProperties?: boolean | undefined;
}

/** Programs whose pages have a known structure. */
export type Generator =
  | 'docusaurus'
  | 'mkdocs'
  | 'sphinx'
  | 'vitepress'
  | 'vuepress'
  | 'gitbook'
  | 'docsy'
  | 'jekyll'
  | 'docbook'
  | 'mdbook'
  | 'confluence'
  | 'notion'
  | 'google-docs'
  | 'mediawiki'
  | 'github-wiki'
  | 'readme'
  | 'mintlify'
  | 'mammoth'
  | 'unknown';

/** The facts of a body that the import of a folder needs. Offsets are into the body. */
export type PageAnalysis = Pick<Analysis, 'hrefs' | 'sections' | 'specs' | 'anchors' | 'warnings'>;

export interface NavigationItem {
  /** 1: at the root. */
  readonly depth: number;
  readonly title: string;
  /** Absolute. */
  readonly url?: string;
}

export interface ConvertedPage {
  /** Never empty. */
  readonly title: string;
  readonly description?: string;
  /** Frontmatter, title line and body. Hrefs of HTML pages are absolute URLs. */
  readonly markdown: string;
  readonly analysis: PageAnalysis;
  /**
   * The anchors of HTML elements whose id is no anchor of the Markdown, by id. An empty one leads to the page as a
   * whole.
   */
  readonly anchorsById?: ReadonlyMap<string, string>;
  /** The entries in order. Only HTML has them. */
  readonly navigation: readonly NavigationItem[];
  /** The pages below this one that its text lists, in order: the order of manuals, which have no other navigation. */
  readonly contents: readonly NavigationItem[];
  /** The page holds the navigation of others, and no text. */
  readonly isFrame?: boolean;
  /** Absolute, without fragment, distinct: of the main content, at most 5,000. */
  readonly links: readonly string[];
  /** Absolute or `data:`, distinct, at most 2,000. */
  readonly images: readonly string[];
  /** Parts of the source that the Markdown does not contain. */
  readonly lost?: readonly string[];
  readonly canonical?: string;
  /** The page only leads to another one: its absolute URL. */
  readonly redirect?: string;
  readonly generator: Generator;
  /** `<meta name=robots>`. */
  readonly robots: { readonly noIndex: boolean; readonly noFollow: boolean };
}

/** `failure` is a sentence. `isTooLarge`: a limit of the page was exceeded. */
export type ConvertOutcome =
  | { readonly page: ConvertedPage }
  | { readonly failure: string; readonly isTooLarge?: boolean };
