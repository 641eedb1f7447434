import type {
  BlockOf,
  ContentRef,
  ImageRef,
  IntegrationBlock,
  JSONDocument,
  RefOf,
} from '../../document/index.ts';
import type { PartView } from '../../openapi/index.ts';
import type { HtmlNode } from './node.ts';
import type { Words } from './words.ts';

/** Input that the renderer cannot find in a document: the targets of its references, and the words of the interface. */
export interface HtmlOptions {
  /**
   * The target of a reference; undefined where the visitor may not read it or it does not exist. Without this option URLs
   * and anchors of the page are links, and all other references are broken.
   */
  readonly targetOf?: ((ref: ContentRef) => Target | undefined) | undefined;
  /** A file, or an image of another site. Without this option URLs are shown, and files are missing. */
  readonly fileOf?: ((ref: ImageRef) => HtmlFile | undefined) | undefined;
  readonly reusableContentOf?: ((ref: RefOf<'reusable-content'>) => JSONDocument | undefined) | undefined;
  /** The address of an icon, such as `/icons.svg#i-github`; undefined if there is none. `#i-<name>` by default. */
  readonly iconHref?: ((name: string) => string | undefined) | undefined;
  /** The address that a button with an action leads to without a script, such as the search page. */
  readonly actionHref?: ((action: string, query: string) => string | undefined) | undefined;
  /** Undefined for a specification that is unknown: the method and path of the block are shown. */
  readonly openapi?: ((block: OpenAPIBlock) => OpenAPIShown | undefined) | undefined;
  /** The title above the document, which is not repeated. */
  readonly pageTitle?: string | undefined;
  readonly pageDescription?: string | undefined;
  readonly integration?: ((block: IntegrationBlock) => HtmlNode) | undefined;
  /** Where links to other sites open. */
  readonly externalLinks?: 'self' | 'blank' | undefined;
  /** BCP 47, for dates, numbers and sizes; English by default. */
  readonly locale?: string | undefined;
  readonly words?: Partial<Words> | undefined;
}

export interface Target {
  /** None: it has no page of its own, such as a user or a tag. */
  readonly href?: string | undefined;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly icon?: string | undefined;
  /** A character, or its code. */
  readonly emoji?: string | undefined;
  /** The colour of a tag. */
  readonly color?: string | undefined;
}

export interface HtmlFile {
  readonly src: string;
  readonly name?: string | undefined;
  /** Bytes. */
  readonly size?: number | undefined;
  /** The width of an image in pixels. With width and height, the page does not move when it loads. */
  readonly width?: number | undefined;
  readonly height?: number | undefined;
}

export type OpenAPIBlock = BlockOf<'swagger' | 'openapi-operation' | 'openapi-webhook' | 'openapi-schemas'>;

/** The parts of a specification that a block shows. */
export interface OpenAPIShown {
  /** Its slug. */
  readonly spec: string;
  /** One for each name of the block; undefined: it is not part of the specification (any more). */
  readonly views: readonly (PartView | undefined)[];
}

/** Parts that the page must load or allow beside the HTML. */
export type Need = 'math' | 'mermaid' | 'tabs' | 'copy' | 'code' | 'filter' | 'openapi' | 'embed' | 'action';

export interface HtmlBody {
  readonly html: string;
  readonly outline: readonly OutlineEntry[];
  readonly needs: ReadonlySet<Need>;
  /** Names of the icons that the HTML refers to. */
  readonly icons: ReadonlySet<string>;
  /** Origins of frames, for the Content-Security-Policy. */
  readonly frames: ReadonlySet<string>;
  /** Origins that forms of API references send to, for the same. */
  readonly connects: ReadonlySet<string>;
  /** The HTML begins with the description of the page. */
  readonly saysDescription: boolean;
}

export interface OutlineEntry {
  readonly id: string;
  readonly title: string;
  /** 1 to 3. */
  readonly level: number;
}
