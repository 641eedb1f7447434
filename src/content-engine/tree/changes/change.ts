import type { ContentRef, LinkTable } from '../content-ref.ts';
import type { Hash } from '../../map/index.ts';
import type { PageField, SentValue } from '../fields/page-fields.ts';
import type {
  ComputedSource,
  ContentRecord,
  FileRecord,
  Inline,
  PageRecord,
  PageSource,
} from '../records.ts';
import type { VariableValue } from '../fields/page-values.ts';
import type { Tree } from '../tree.ts';

/**
 * One change of a batch (facts 3.5, and our extensions). The caller generates the ids of new entries and stores the
 * bodies, which are given by hash. `into` and `page` are the id of a page or the `ref` of an earlier change.
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

/** Absent fields, and absent members of a layout, are unchanged. */
export type PageFields = { readonly [F in PageField]?: SentValue<F> };

/** The content of a page, besides its fields. */
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
  /** Index among the siblings. Absent or too large: the end. */
  readonly at?: number;
}

export interface InsertPage extends PageFields, PageContent, Place {
  readonly operation: 'insert_page';
  readonly id: string;
  readonly ref?: string;
  /** Default: document. */
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
  /** The earlier page. Undefined: it did not exist. */
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

/** Sets the given variables; null removes one. */
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

/** Why a change is invalid. `message` says how to correct it. */
export interface Refusal {
  readonly code: RefusalCode;
  readonly message: string;
  readonly field?: string;
}

export interface ChangeError extends Refusal {
  /** Index of the change in the batch. */
  readonly index: number;
}

/** The effect of a change on one entry, for the response. */
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
  /** The records to write to the map: only those that differ from before the batch. */
  readonly changed: ReadonlyMap<string, ContentRecord | null>;
  readonly outcomes: readonly Outcome[];
}

export interface Refused {
  readonly ok: false;
  readonly errors: readonly ChangeError[];
}
