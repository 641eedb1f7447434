import type { InlineContent, JSONDocument, Leaf, ParagraphBlock, TextNode } from './nodes.ts';

export const SCHEMA_VERSION = 8;

/** Text of one line without marks. */
export const plainTextNode = (text: string, key?: string): TextNode => {
  const leaves: Leaf[] = [{ object: 'leaf', text, marks: [] }];
  return key === undefined ? { object: 'text', leaves } : { object: 'text', key, leaves };
};

export const paragraphOf = (key: string, nodes: InlineContent[] = []): ParagraphBlock => ({
  object: 'block',
  type: 'paragraph',
  key,
  nodes,
});

/** A text as one paragraph, without reading it as Markdown. */
export const plainDocument = (text: string): JSONDocument => ({
  object: 'document',
  data: { schemaVersion: SCHEMA_VERSION },
  nodes: [paragraphOf('0', [plainTextNode(text, '0/0')])],
});

/** Blocks as a document of their own. */
export const documentOfBlocks = (nodes: JSONDocument['nodes']): JSONDocument => ({
  object: 'document',
  data: {},
  nodes,
});
