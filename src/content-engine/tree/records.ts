import type { Hash } from '../map/index.ts';
import type { ContentRef, LinkTable } from './content-ref.ts';
import type { PageLayout } from './page-layout.ts';

/**
 * The entries of the persistent map. A value that is the default is absent, and what can be long stands elsewhere under
 * its hash: an edit writes 16 records at most, so each must be small.
 */
export type ContentRecord = PageRecord | FileRecord | ReusableContentRecord | VariablesRecord | FolderRecord;

export type PageRecord = DocumentPage | GroupPage | LinkPage | ComputedPage;
export type PageType = PageRecord['type'];

interface PageBase {
  readonly id: string;
  readonly kind: 'page';
  readonly title: string;
  readonly emoji?: string;
  readonly icon?: string;
  /** Absent: at the root. */
  readonly parent?: string;
  /** Fractional key among the siblings; equal keys are ordered by id. */
  readonly position: string;
  readonly hidden?: true;
  readonly condition?: string;
  /** Milliseconds since 1970. */
  readonly createdAt?: number;
  readonly updatedAt?: number;
}

interface SluggedPage extends PageBase {
  readonly slug: string;
  readonly noIndex?: true;
  readonly noRobotsIndex?: true;
}

export interface DocumentPage extends SluggedPage {
  readonly type: 'document';
  /** What navigation calls it, where that is not its title: `linkTitle` of the API. */
  readonly label?: string;
  readonly description?: string;
  /** What differs from the default layout. */
  readonly layout?: Partial<PageLayout>;
  readonly cover?: PageCover;
  readonly variables?: Variables;
  readonly tags?: readonly string[];
  /** The body: a source file without its frontmatter and title line. */
  readonly document: Hash;
  readonly links?: Inline<LinkTable>;
  readonly source?: PageSource;
}

export interface GroupPage extends SluggedPage {
  readonly type: 'group';
}

export interface LinkPage extends PageBase {
  readonly type: 'link';
  readonly target: ContentRef;
}

export interface ComputedPage extends PageBase {
  readonly type: 'computed';
  readonly computed: ComputedSource;
}

/** A source of pages, e.g. an OpenAPI specification (facts 1.4). */
export interface ComputedSource {
  readonly type: string;
  readonly props?: Readonly<Record<string, unknown>>;
  readonly dependencies?: Readonly<Record<string, unknown>>;
}

export interface PageCover {
  readonly ref?: CoverRef;
  readonly refDark?: CoverRef;
  readonly yPos: number;
}

export type CoverRef = Extract<ContentRef, { readonly kind: 'file' | 'url' }>;

export type Variables = Readonly<Record<string, VariableValue>>;
export type VariableValue = string | number | boolean;

/** A value in the record itself or, when it is long, under its hash. See `inline`. */
export type Inline<T extends object | string> = T | Elsewhere;

export interface Elsewhere {
  readonly hash: Hash;
}

/**
 * The file a document came from. Frontmatter, title line and body, one after the other, are its bytes; keys of the
 * frontmatter that nobody knows live on in its text.
 */
export interface PageSource {
  readonly path: string;
  /** With its fences and line ends. */
  readonly frontmatter?: Inline<string>;
  /** With all that stands between the frontmatter and the body. */
  readonly titleLine?: string;
}

export interface FileRecord {
  readonly id: string;
  readonly kind: 'file';
  readonly name: string;
  readonly contentType: string;
  readonly size: number;
  readonly dimensions?: { readonly width: number; readonly height: number };
  readonly hash: Hash;
  /** In the source folder. */
  readonly path?: string;
  /** Kept so that a folder leaves as it came (a page that no one lists, a licence); not a file of the space. */
  readonly unlisted?: true;
}

export interface ReusableContentRecord {
  readonly id: string;
  readonly kind: 'reusable-content';
  readonly title: string;
  readonly document: Hash;
  readonly links?: Inline<LinkTable>;
  readonly source?: PageSource;
}

/** The variables of the space. */
export interface VariablesRecord {
  readonly id: typeof VARIABLES_ID;
  readonly kind: 'variables';
  readonly values: Variables;
  /** The text they were read from. */
  readonly source?: SourceText;
}

/** What a source folder needs, besides its pages and files, to leave byte for byte as it came. */
export interface FolderRecord {
  readonly id: typeof FOLDER_ID;
  readonly kind: 'folder';
  /** Where the configuration says that the pages are: ends in a slash. Absent: everywhere. */
  readonly root?: string;
  readonly summary?: SummaryText;
  readonly configuration?: ConfigurationText;
  readonly tags?: readonly TagDefinition[];
  readonly tagsSource?: SourceText;
}

export interface SourceText {
  readonly path: string;
  readonly text: Inline<string>;
}

/** SUMMARY.md, and which page each of its entries was when it was read: null for what is none. */
export interface SummaryText extends SourceText {
  readonly listed?: Inline<readonly (string | null)[]>;
}

/** `.gitbook.yaml`, and where its redirects led when it was read. */
export interface ConfigurationText extends SourceText {
  readonly links?: Inline<LinkTable>;
}

export interface TagDefinition {
  readonly tag: string;
  readonly label?: string;
  readonly icon?: string;
  readonly color?: string;
}

/** Ids of pages and files have letters and digits only: nobody's page can take these. */
export const VARIABLES_ID = '~variables';
export const FOLDER_ID = '~folder';

export const isPage = (record: ContentRecord | undefined): record is PageRecord => record?.kind === 'page';

export const hasSlug = (page: PageRecord): page is DocumentPage | GroupPage =>
  page.type === 'document' || page.type === 'group';

/** Whether other pages can stand below it. */
export const mayHoldPages = hasSlug;
