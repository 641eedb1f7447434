import type { Hash } from '../map/index.ts';
import type { ContentRef, LinkTable } from './content-ref.ts';
import type { FieldMembers, PageType } from './fields/page-fields.ts';
import type { Variables } from './fields/page-values.ts';

/**
 * The entries of the persistent map. Default values are absent, and long values are stored out of line under their
 * hash: an edit rewrites up to 16 records, so each must be small.
 */
export type ContentRecord = PageRecord | FileRecord | ReusableContentRecord | VariablesRecord | FolderRecord;

export type PageRecord = DocumentPage | GroupPage | LinkPage | ComputedPage;

/** The members of a page besides its fields, which `PAGE_FIELDS` describes. */
interface PageBase<T extends PageType> {
  readonly id: string;
  readonly kind: 'page';
  readonly type: T;
  /** Absent: at the root. */
  readonly parent?: string;
  /** Fractional key among the siblings; equal keys are ordered by id. */
  readonly position: string;
  /** Milliseconds since 1970. */
  readonly createdAt?: number;
  readonly updatedAt?: number;
}

export interface DocumentPage extends PageBase<'document'>, FieldMembers<'document'> {
  /** The body: a source file without its frontmatter and title line. */
  readonly document: Hash;
  readonly links?: Inline<LinkTable>;
  readonly source?: PageSource;
  readonly generated?: Generated;
}

/**
 * What an entry of computed pages gave a page. A refresh changes a member of the page only while it still has this value.
 */
export interface Generated {
  /** The id of the entry. */
  readonly entry: string;
  /** Of an operation or a tag: the page keeps it when its path or title changes. */
  readonly key: string;
  readonly title: string;
  readonly slug: string;
  readonly description?: string;
  readonly icon?: string;
  readonly parent?: string;
  readonly position: string;
  readonly document: Hash;
  readonly parts: Inline<readonly GeneratedPart[]>;
}

/** A part of a generated body, such as the block of an operation. */
export type GeneratedPart = readonly [key: string, text: string];

export interface GroupPage extends PageBase<'group'>, FieldMembers<'group'> {}

export interface LinkPage extends PageBase<'link'>, FieldMembers<'link'> {
  readonly target: ContentRef;
}

export interface ComputedPage extends PageBase<'computed'>, FieldMembers<'computed'> {
  readonly computed: ComputedSource;
  /** The keys of all pages that it was given: one that is gone was deleted, and does not come back. */
  readonly expanded?: Inline<readonly string[]>;
}

/** A source of pages, e.g. an OpenAPI specification (facts 1.4). */
export interface ComputedSource {
  readonly type: string;
  readonly props?: Readonly<Record<string, unknown>>;
  readonly dependencies?: Readonly<Record<string, unknown>>;
}

/** A value in the record itself or, if it is long, stored under its hash. See `inline`. */
export type Inline<T extends object | string> = T | OutOfLine;

export interface OutOfLine {
  readonly hash: Hash;
}

/**
 * The source file of a document. The file is the concatenation of frontmatter, title line and body; unknown keys of
 * the frontmatter are preserved in its text.
 */
export interface PageSource {
  readonly path: string;
  /** The path before the page was moved, which hrefs may still name. */
  readonly former?: string;
  /** With its fences and line ends. */
  readonly frontmatter?: Inline<string>;
  /** The text between the frontmatter and the body. */
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
  /** Path in the source folder. */
  readonly path?: string;
  /**
   * Not a file of the space: stored only so that an exported folder equals the imported one (a licence, an unlisted
   * page).
   */
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

/** The parts of a source folder, besides its pages and files, that an identical export needs. */
export interface FolderRecord {
  readonly id: typeof FOLDER_ID;
  readonly kind: 'folder';
  /** The root of the pages by the configuration, with a trailing slash. Absent: the folder itself. */
  readonly root?: string;
  readonly summary?: SummaryText;
  /** Without SUMMARY.md: the rows of the outline that the settings of another program gave when they were imported. */
  readonly navigation?: Inline<readonly object[]>;
  readonly configuration?: ConfigurationText;
  readonly tags?: readonly TagDefinition[];
  readonly tagsSource?: SourceText;
}

export interface SourceText {
  readonly path: string;
  readonly text: Inline<string>;
}

/** SUMMARY.md, and the page of each of its entries when it was imported: null for entries that are no page. */
export interface SummaryText extends SourceText {
  readonly listed?: Inline<readonly (string | null)[]>;
}

/** `.gitbook.yaml`, and the targets of its redirects when it was imported. */
export interface ConfigurationText extends SourceText {
  readonly links?: Inline<LinkTable>;
}

export interface TagDefinition {
  readonly tag: string;
  readonly label?: string;
  readonly icon?: string;
  readonly color?: string;
}

/** Reserved ids: ids of pages and files have only letters and digits. */
export const VARIABLES_ID = '~variables';
export const FOLDER_ID = '~folder';

export const isPage = (record: ContentRecord | undefined): record is PageRecord => record?.kind === 'page';

export const hasSlug = (page: PageRecord): page is DocumentPage | GroupPage =>
  page.type === 'document' || page.type === 'group';

/** Whether it can have child pages. */
export const mayHoldPages = hasSlug;
