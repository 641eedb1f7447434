import type { Shape } from './shape.ts';

/** The allowed content of a node: any block, any inline, texts only, nothing, or nodes of these types. */
export type Content = 'blocks' | 'inlines' | 'texts' | 'nothing' | readonly string[];

export interface NodeShape<Data = unknown, Holds extends Content = Content> {
  /** The type of `data`, too. Absent: any object. */
  readonly data?: Shape<Data>;
  readonly holds: Holds;
  /** The allowed fragments by name. */
  readonly fragments?: Readonly<Record<string, Content>>;
}

export const ANY_NAME = '*';
