import type { PageLayout } from './page-layout.ts';
import type { PageCover, Variables } from './page-values.ts';

export type PageType = 'document' | 'group' | 'link' | 'computed';

/** The value of a field by its shape, as a record stores it. Default values are absent. */
interface Stored {
  readonly title: string;
  readonly label: string;
  readonly slug: string;
  readonly text: string;
  readonly expression: string;
  readonly flag: true;
  readonly variables: Variables;
  readonly tags: readonly string[];
  /** Differences from the default layout. */
  readonly layout: Partial<PageLayout>;
  readonly cover: PageCover;
}

export type PageFieldShape = keyof Stored;

export interface PageFieldDescription {
  readonly shape: PageFieldShape;
  readonly pages: readonly PageType[];
  readonly maxLength?: number;
  /** The member of the record, if it has another name. */
  readonly member?: string;
  /** The name in frontmatter. Absent: a file cannot express it there. */
  readonly frontmatter?: string;
  /** For the reference of the API, if the name does not say it. */
  readonly description?: string;
}

const EVERY = ['document', 'group', 'link', 'computed'] as const satisfies readonly PageType[];
const SLUGGED = ['document', 'group'] as const satisfies readonly PageType[];
const DOCUMENT = ['document'] as const satisfies readonly PageType[];

/**
 * The fields of pages besides their content and place. Records, changes, the API, differences, merges and frontmatter
 * follow from it by shape. New lines of frontmatter are written in this order.
 */
const described = {
  title: { shape: 'title', pages: EVERY, frontmatter: 'title' },
  linkTitle: {
    shape: 'label',
    pages: DOCUMENT,
    member: 'label',
    description: 'Label in navigation, if it differs from the title; documents only',
  },
  slug: {
    shape: 'slug',
    pages: SLUGGED,
    description: 'Empty: derived from the title. Returns 400 if a sibling has the same slug.',
  },
  description: { shape: 'text', pages: DOCUMENT, maxLength: 4096, frontmatter: 'description' },
  icon: { shape: 'text', pages: EVERY, maxLength: 50, frontmatter: 'icon' },
  emoji: { shape: 'text', pages: EVERY, maxLength: 50, frontmatter: 'emoji' },
  hidden: { shape: 'flag', pages: EVERY, frontmatter: 'hidden' },
  noIndex: { shape: 'flag', pages: SLUGGED, frontmatter: 'noIndex' },
  noRobotsIndex: { shape: 'flag', pages: SLUGGED, frontmatter: 'noRobotsIndex' },
  condition: { shape: 'expression', pages: EVERY, maxLength: 1024, frontmatter: 'if' },
  variables: { shape: 'variables', pages: DOCUMENT, frontmatter: 'vars' },
  tags: { shape: 'tags', pages: DOCUMENT, frontmatter: 'tags' },
  layout: { shape: 'layout', pages: DOCUMENT, frontmatter: 'layout' },
  cover: { shape: 'cover', pages: DOCUMENT, frontmatter: 'cover' },
} as const satisfies Record<string, PageFieldDescription>;

type Described = typeof described;
export type PageField = keyof Described;

export const PAGE_FIELDS: Readonly<Record<PageField, PageFieldDescription>> = described;
export const PAGE_FIELD_NAMES = Object.keys(described) as readonly PageField[];

/** The fields of pages of a type. */
export type PageFieldOf<T extends PageType> = {
  [F in PageField]: T extends Described[F]['pages'][number] ? F : never;
}[PageField];

const namesFor = (type: PageType) =>
  PAGE_FIELD_NAMES.filter((name) => PAGE_FIELDS[name].pages.includes(type));

export const FIELDS_OF: Readonly<Record<PageType, readonly PageField[]>> = {
  document: namesFor('document'),
  group: namesFor('group'),
  link: namesFor('link'),
  computed: namesFor('computed'),
};

export type ShapeOf<F extends PageField> = Described[F]['shape'];

type MemberOf<F extends PageField> = Described[F] extends { readonly member: infer M extends string } ? M : F;

export const memberOf = (field: PageField): string => PAGE_FIELDS[field].member ?? field;

/** The field of a member of a record. */
export const fieldOfMember = (member: string): PageField | undefined =>
  PAGE_FIELD_NAMES.find((field) => memberOf(field) === member);

/** The members of a record that the fields of its type set. */
export type FieldMembers<T extends PageType> = {
  readonly [
    F in PageFieldOf<T> as ShapeOf<F> extends 'title' | 'slug' ? never : MemberOf<F>
  ]?: Stored[ShapeOf<F>];
} & { readonly [F in PageFieldOf<T> as ShapeOf<F> extends 'title' | 'slug' ? F : never]: string };

/** The value of a field as a change sends it. Null removes a value; a slug that is empty is derived from the title. */
type SentAs<S extends PageFieldShape> = S extends 'title' | 'slug'
  ? string
  : S extends 'flag'
    ? boolean
    : Stored[S] | null;

export type SentValue<F extends PageField> = SentAs<ShapeOf<F>>;

type FrontmatterName<F extends PageField> = Described[F] extends {
  readonly frontmatter: infer N extends string;
}
  ? N
  : never;

/** The shapes of page fields by their names in frontmatter. */
export type FrontmatterShapes = { readonly [F in PageField as FrontmatterName<F>]: ShapeOf<F> };
