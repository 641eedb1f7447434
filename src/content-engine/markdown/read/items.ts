import type { ContentRef, InlineNode, MarkType } from '../document.ts';
import type { Color } from './builder.ts';

/** What the inline scanner finds, in order. Brackets, delimiters and tags are text until their partner is found. */
export type ItemKind =
  | 'text'
  | 'delimiter'
  | 'mark'
  | 'color'
  | 'node'
  | 'link'
  | 'unlink'
  | 'annotation'
  | 'nothing';

export interface Item {
  kind: ItemKind;
  text: string;
  /** Delimiter: how many are left, which marks they end and begin. */
  count: number;
  length: number;
  code: number;
  canOpen: boolean;
  canClose: boolean;
  closes: MarkType[] | null;
  opens: MarkType[] | null;
  mark: MarkType | null;
  by: 1 | -1;
  color: Color | undefined;
  node: InlineNode | null;
  ref: ContentRef | null;
}

export const item = (kind: ItemKind, text: string): Item => ({
  kind,
  text,
  count: 0,
  length: 0,
  code: 0,
  canOpen: false,
  canClose: false,
  closes: null,
  opens: null,
  mark: null,
  by: 1,
  color: undefined,
  node: null,
  ref: null,
});

export const nodeItem = (node: InlineNode): Item => {
  const made = item('node', '');
  made.node = node;
  return made;
};

/** What is left of a delimiter run that was not used up. */
export const restOf = (one: Item): string =>
  one.kind === 'delimiter' ? String.fromCharCode(one.code).repeat(one.count) : one.text;
