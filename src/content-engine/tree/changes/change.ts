import type { ContentRef, LinkTable } from '../content-ref.ts';
import type { Hash } from '../../map/index.ts';
import type { PageLayout } from '../page-layout.ts';
import type {
  ComputedSource,
  ContentRecord,
  FileRecord,
  Inline,
  PageCover,
  PageRecord,
  PageSource,
  Variables,
  VariableValue,
} from '../records.ts';
import type { Tree } from '../tree.ts';

/**
 * One change of a batch (facts 3.5, and what is ours beyond). Ids of new entries are made by the caller, and bodies are
 * hashes of documents that it stores. `into` and `page` may name a page by its id or by the `ref` of a change before.
 */
export type Change =
  | InsertPage
  | UpdatePage
  | MovePage
  | DeletePage
  | RevertPage
  | InsertFiles
  | DeleteFile
  | SetVariables
  | InsertReusableContent
  | UpdateReusableContent
  | DeleteReusableContent;

/** Null takes a value away. */
export interface PageFields {
  readonly title?: string;
  /** What navigation calls a document, where that is not its title: `label` of its record. */
  readonly linkTitle?: string | null;
  /** Empty: made from the title. */
  readonly slug?: string;
  readonly emoji?: string | null;
  readonly icon?: string | null;
  readonly description?: string | null;
  readonly hidden?: boolean;
  readonly noIndex?: boolean;
  readonly noRobotsIndex?: boolean;
  readonly condition?: string | null;
  /** Members that are not given stay as they are. */
  readonly layout?: Partial<PageLayout> | null;
  readonly cover?: PageCover | null;
  readonly variables?: Variables | null;
  readonly tags?: readonly string[] | null;
}

/** What a page is made of, besides its fields. */
export interface PageContent {
  readonly document?: Hash;
  readonly links?: Inline<LinkTable> | null;
  readonly source?: PageSource | null;
  readonly target?: ContentRef;
  readonly computed?: ComputedSource;
}

export interface Place {
  /** Null: the root. */
  readonly into?: string | null;
  /** Index among the siblings; beyond their number, or absent, it is the end. */
  readonly at?: number;
}

export interface InsertPage extends PageFields, PageContent, Place {
  readonly operation: 'insert_page';
  readonly id: string;
  readonly ref?: string;
  /** A document, unless said otherwise. */
  readonly type?: PageRecord['type'];
}

export interface UpdatePage extends PageFields, PageContent, Place {
  readonly operation: 'update_page';
  readonly page: string;
}

export interface MovePage extends Place {
  readonly operation: 'move_page';
  readonly page: string;
}

export interface DeletePage {
  readonly operation: 'delete_page';
  readonly page: string;
}

export interface RevertPage {
  readonly operation: 'revert_page';
  readonly page: string;
  /** The page as it was; undefined when it was not. */
  readonly to: PageRecord | undefined;
}

export interface NewFile extends Omit<FileRecord, 'kind'> {
  readonly ref?: string;
}

export interface InsertFiles {
  readonly operation: 'insert_files';
  readonly files: readonly NewFile[];
}

export interface DeleteFile {
  readonly operation: 'delete_file';
  readonly file: string;
}

/** Those that are given are set, or with null removed. */
export interface SetVariables {
  readonly operation: 'set_variables';
  readonly variables: Readonly<Record<string, VariableValue | null>>;
}

export interface ReusableContentFields {
  readonly title?: string;
  readonly document?: Hash;
  readonly links?: Inline<LinkTable> | null;
  readonly source?: PageSource | null;
}

export interface InsertReusableContent extends ReusableContentFields {
  readonly operation: 'insert_reusable_content';
  readonly id: string;
  readonly ref?: string;
}

export interface UpdateReusableContent extends ReusableContentFields {
  readonly operation: 'update_reusable_content';
  readonly reusableContent: string;
}

export interface DeleteReusableContent {
  readonly operation: 'delete_reusable_content';
  readonly reusableContent: string;
}

export type RefusalCode =
  | 'unknown_page'
  | 'unknown_parent'
  | 'unknown_file'
  | 'unknown_reusable_content'
  | 'own_descendant'
  | 'too_deep'
  | 'group_below_root'
  | 'parent_holds_no_pages'
  | 'id_taken'
  | 'ref_taken'
  | 'slug_taken'
  | 'invalid_id'
  | 'invalid_field'
  | 'missing_field';

/** Why a change cannot be made. `message` says what to do about it. */
export interface Refusal {
  readonly code: RefusalCode;
  readonly message: string;
  readonly field?: string;
}

export interface ChangeError extends Refusal {
  /** Which change of the batch. */
  readonly index: number;
}

/** What a change did, for the answer. One of many files has one each. */
export interface Outcome {
  readonly index: number;
  readonly did: 'created' | 'updated' | 'deleted';
  readonly kind: ContentRecord['kind'];
  readonly id: string;
  readonly ref?: string;
}

export interface Applied {
  readonly ok: true;
  readonly tree: Tree;
  /** What is to be written to the map: only what is different from before the batch. */
  readonly changed: ReadonlyMap<string, ContentRecord | null>;
  readonly outcomes: readonly Outcome[];
}

export interface Refused {
  readonly ok: false;
  readonly errors: readonly ChangeError[];
}
