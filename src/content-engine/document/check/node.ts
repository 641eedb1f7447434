import { members, type Shape } from './shape.ts';

/** What a node may hold: any block, any inline, texts only, nothing, or nodes of these types. */
export type Content = 'blocks' | 'inlines' | 'texts' | 'nothing' | readonly string[];

export interface NodeShape {
  readonly data?: Shape;
  readonly holds: Content;
  /** By their names, the fragments it may have. */
  readonly fragments?: Readonly<Record<string, Content>>;
}

export const ANY_NAME = '*';

/** A node that holds nothing but what its data says. */
export const shows = (data: Readonly<Record<string, Shape>>): NodeShape => ({
  data: members(data),
  holds: 'nothing',
});
