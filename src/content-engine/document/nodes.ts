/** The document JSON of the public API (facts 5), as loosely as its many closed variants can share one type. */

export type { ContentRef } from '../tree/index.ts';

export type MarkType =
  | 'bold'
  | 'italic'
  | 'code'
  | 'keyboard'
  | 'strikethrough'
  | 'superscript'
  | 'subscript'
  | 'color';

export interface Mark {
  object: 'mark';
  type: MarkType;
  data?: { text: string; background: string };
}

export interface Leaf {
  object: 'leaf';
  text: string;
  marks: Mark[];
}

export interface TextNode {
  object: 'text';
  key?: string;
  leaves: Leaf[];
}

export type Data = Record<string, unknown>;

export interface InlineNode {
  object: 'inline';
  type: string;
  key?: string;
  data?: Data;
  nodes?: InlineContent[];
  fragments?: FragmentNode[];
  isVoid?: boolean;
}

export type InlineContent = TextNode | InlineNode;

export interface BlockNode {
  object: 'block';
  type: string;
  key?: string;
  data?: Data;
  nodes?: (BlockNode | InlineContent)[];
  fragments?: FragmentNode[];
  isVoid?: boolean;
  meta?: { id?: string; token?: string };
}

export interface FragmentNode {
  object: 'fragment';
  key?: string;
  fragment?: string;
  type?: string;
  nodes: BlockNode[];
}

export interface JSONDocument {
  object: 'document';
  data: Data;
  nodes: BlockNode[];
}

export type AnyNode = BlockNode | InlineNode | TextNode | FragmentNode | JSONDocument;

export const SCHEMA_VERSION = 8;

/** Text of one line without marks. */
export const plainTextNode = (text: string, key?: string): TextNode => {
  const leaves: Leaf[] = [{ object: 'leaf', text, marks: [] }];
  return key === undefined ? { object: 'text', leaves } : { object: 'text', key, leaves };
};

/** A text as one paragraph, whatever it means as Markdown. */
export const plainDocument = (text: string): JSONDocument => ({
  object: 'document',
  data: { schemaVersion: SCHEMA_VERSION },
  nodes: [{ object: 'block', type: 'paragraph', key: '0', nodes: [plainTextNode(text, '0/0')] }],
});

export const blocksOf = (block: { nodes?: readonly unknown[] }): BlockNode[] =>
  (block.nodes ?? []) as BlockNode[];
export const inlinesOf = (block: { nodes?: readonly unknown[] }): InlineContent[] =>
  (block.nodes ?? []) as InlineContent[];

/** A data member that is a string, or undefined. */
export function stringOf(data: Data | undefined, name: string): string | undefined {
  const value = data?.[name];
  return typeof value === 'string' ? value : undefined;
}
