import type { BlockType, InlineType } from '../nodes.ts';
import type { Shape } from './shape.ts';

/** What a node may hold: any block, any inline, texts only, nothing, or nodes of these types. */
export type Content =
  | 'blocks'
  | 'inlines'
  | 'texts'
  | 'nothing'
  | readonly (BlockType | InlineType | 'text')[];

export interface NodeShape {
  readonly data?: Shape;
  readonly holds: Content;
  /** By their names, the fragments it may have. */
  readonly fragments?: Readonly<Record<string, Content>>;
}

export const ANY_NAME = '*';
