import type { AssetCatalog } from './assets/catalog.ts';
import type { Customization } from './customization.ts';

/**
 * The content of a page of a site. The server fills it for one visitor: entries that the visitor may not read are absent.
 * Hrefs are paths with the base path of the site, or absolute URLs; texts are not escaped.
 */
export interface SiteView {
  readonly title: string;
  /** '' or, for example, '/docs'. Reserved addresses are below `<basePath>/~octavo/`. */
  readonly basePath: string;
  /** BCP 47 tag of the content; it also decides the direction of the text. */
  readonly language: string;
  readonly customization: Customization;
  readonly assets: AssetCatalog;
  readonly headerLinks: readonly HeaderLink[];
  readonly footerGroups: readonly { readonly title: string; readonly links: readonly Link[] }[];
  readonly announcement?: Announcement | undefined;
  readonly sections: readonly (Section | SectionGroup)[];
  /** Site spaces of the current section. The switch is shown for two or more. */
  readonly variants: readonly Variant[];
  /** The title of the preview that is shown instead of the published content. */
  readonly preview?: { readonly title: string; readonly leaveHref: string } | undefined;
}

export interface Link {
  readonly title: string;
  readonly href: string;
}

export interface HeaderLink {
  readonly title: string;
  /** Absent where the entry only opens its menu. */
  readonly href?: string | undefined;
  readonly style?: 'link' | 'button-primary' | 'button-secondary' | undefined;
  readonly links: readonly Link[];
}

export interface MarkedText {
  readonly text: string;
  readonly marks: readonly ('bold' | 'italic' | 'strikethrough' | 'code')[];
}

/** A piece of a line of text, or a link with its text. */
export type MessagePart = MarkedText | { readonly href: string; readonly parts: readonly MarkedText[] };

export interface Announcement {
  readonly message: readonly MessagePart[];
  readonly style: Tone;
  readonly link?: Link | undefined;
}

export type Tone = 'info' | 'success' | 'warning' | 'danger';

/** A name of the free icon set, or an emoji. An unknown name shows nothing. */
export type Icon = { readonly name: string } | { readonly emoji: string };

export interface Section extends Link {
  readonly kind: 'section';
  readonly description?: string | undefined;
  readonly icon?: Icon | undefined;
  readonly isCurrent: boolean;
}

export interface SectionGroup {
  readonly kind: 'group';
  readonly title: string;
  readonly icon?: Icon | undefined;
  readonly children: readonly (Section | SectionGroup)[];
}

export interface Variant extends Link {
  readonly description?: string | undefined;
  readonly icon?: Icon | undefined;
  /** BCP 47 tag, where variants are translations. */
  readonly language?: string | undefined;
  readonly isCurrent: boolean;
}

/** An entry of the tree. Only the open branches are sent. */
export type TreeEntry = TreePage | TreeGroup | TreeMore;

export interface TreePage extends Link {
  readonly kind: 'page' | 'link';
  readonly icon?: Icon | undefined;
  readonly isCurrent?: boolean;
  /** The HTTP method, of a page about one API operation. */
  readonly method?: string | undefined;
  readonly isOpen?: boolean;
  /** Absent for a closed branch of a large tree: its page opens it. */
  readonly children?: readonly TreeEntry[];
  readonly hasChildren?: boolean;
}

/** A heading of the tree. */
export interface TreeGroup {
  readonly kind: 'group';
  readonly title: string;
  readonly icon?: Icon | undefined;
  readonly children: readonly TreeEntry[];
}

/** The link to the contents page of a long level, in place of its other entries. */
export interface TreeMore {
  readonly kind: 'more';
  readonly href: string;
  /** All entries of the level. */
  readonly count: number;
}

/** The rendered document of a page, as `render/html` of the content engine returns it. */
export interface PageBody {
  readonly html: string;
  readonly outline: readonly { readonly id: string; readonly title: string; readonly level: number }[];
  /** It begins with the description of the page, which is not shown twice. */
  readonly saysDescription?: boolean | undefined;
}

export interface PageView {
  readonly title: string;
  readonly description?: string | undefined;
  readonly icon?: Icon | undefined;
  readonly cover?: Cover | undefined;
  readonly layout: PageLayout;
  readonly breadcrumbs: readonly Link[];
  readonly tree: readonly TreeEntry[];
  readonly body: PageBody;
  readonly tags?: readonly Tag[];
  readonly previous?: Link | undefined;
  readonly next?: Link | undefined;
  /** ISO 8601. */
  readonly updatedAt?: string | undefined;
  readonly editHref?: string | undefined;
  readonly markdownHref?: string | undefined;
  readonly pdfHref?: string | undefined;
  readonly mcpHref?: string | undefined;
  /** Fields of the form beside the rating, such as the id of the page. */
  readonly feedback?:
    | { readonly action: string; readonly fields: Readonly<Record<string, string>> }
    | undefined;
  readonly head: HeadView;
}

/** Metadata for browsers, search engines and social networks. URLs are absolute. */
export interface HeadView {
  readonly canonical?: string | undefined;
  readonly isIndexed: boolean;
  /** A summary for search engines, if the page has no description. */
  readonly summary?: string | undefined;
  readonly alternates?: readonly { readonly language: string; readonly href: string }[];
  readonly image?: { readonly url: string; readonly width?: number; readonly height?: number } | undefined;
  readonly feedHref?: string | undefined;
}

export interface Cover {
  readonly light: string;
  readonly dark?: string | undefined;
  /** Vertical offset in pixels, as pages store it: 0 is the centre, negative values show more of the lower part. */
  readonly yPos: number;
  readonly size: 'hero' | 'full';
}

export interface PageLayout {
  readonly width: 'default' | 'wide';
  readonly cover: boolean;
  readonly title: boolean;
  readonly description: boolean;
  readonly tableOfContents: boolean;
  readonly outline: boolean;
  readonly pagination: boolean;
  readonly metadata: boolean;
}

export interface Tag {
  readonly label: string;
  readonly tone: Tone | 'neutral';
  readonly icon?: Icon | undefined;
}

export interface SearchView {
  readonly query: string;
  readonly results: readonly SearchResult[];
  /** All matching pages; more than `results` has, if the list is cut. */
  readonly count: number;
  /** Filters; none are shown if there are fewer than two. */
  readonly scopes: readonly SearchScope[];
}

export interface SearchScope extends Link {
  readonly isCurrent: boolean;
}

export interface SearchResult extends Link {
  readonly icon?: Icon | undefined;
  readonly titleParts?: readonly TextPart[];
  /** Section, groups and parents of the page. */
  readonly path: readonly string[];
  readonly sections: readonly {
    readonly href: string;
    readonly title: readonly TextPart[];
    readonly excerpt: readonly TextPart[];
  }[];
}

/** Text with the words of the query marked. */
export interface TextPart {
  readonly text: string;
  readonly isMatch: boolean;
}

/** All pages of a level that the tree cuts. */
export interface ContentsView {
  readonly title: string;
  readonly breadcrumbs: readonly Link[];
  readonly entries: readonly (Link & {
    readonly description?: string | undefined;
    readonly icon?: Icon | undefined;
    readonly count?: number;
  })[];
  readonly previous?: Link | undefined;
  readonly next?: Link | undefined;
}

/** Why a site or page is not shown. */
export type AccessView =
  | { readonly reason: 'share-link' }
  | { readonly reason: 'sign-in'; readonly signInHref?: string | undefined };
