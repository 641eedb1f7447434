import type { BlockNode } from '../../document/index.ts';
import type { HtmlNode } from './node.ts';
import type { HtmlOptions } from './options.ts';
import type { PageState } from './page-state.ts';
import type { Words } from './words.ts';

/** The context in which a node is rendered. */
export interface Context {
  readonly options: HtmlOptions;
  readonly words: Words;
  readonly locale: string;
  /** Additions to the page by the nodes before this one. */
  readonly page: PageState;
  /** Inside of a link, button or summary, which cannot contain another one: links are rendered as their text. */
  readonly isInteractive: boolean;
  /** Whether headings are in the outline: not those that are folded away or part of a table. */
  readonly isInOutline: boolean;
  /** Ids of the reusable contents around a node: none includes itself. */
  readonly within: readonly string[];
  /** Renders what a container holds. */
  readonly blocks: (context: Context, blocks: readonly BlockNode[]) => HtmlNode;
}

/** Renders nodes of a type, or the content of cells. */
export type Renderer<Node> = (context: Context, node: Node) => HtmlNode;

export const interactive = (context: Context): Context => ({ ...context, isInteractive: true });

/** Inside of a container whose headings are no part of the outline. */
export const apart = (context: Context): Context => ({ ...context, isInOutline: false });
