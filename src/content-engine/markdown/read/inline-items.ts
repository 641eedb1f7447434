import type { ContentRef, InlineNode, MarkType } from '../../document/nodes.ts';
import type { Color } from './inline-builder.ts';

/** What the inline scanner finds, in order. Brackets, delimiters and tags are text until their partner is found. */
type ItemKind =
  | 'text'
  | 'delimiter'
  | 'open'
  | 'close'
  | 'color'
  | 'node'
  | 'link'
  | 'unlink'
  | 'annotation'
  | 'nothing';

export interface Item {
  kind: ItemKind;
  /** Text; the mark of `open` and `close`; the label of an annotation. */
  text: string;
  detail: Run | Color | InlineNode | ContentRef | null;
}

/** A run of delimiters: how many are left, and which marks they end and begin. */
export interface Run {
  readonly code: number;
  readonly length: number;
  readonly canOpen: boolean;
  readonly canClose: boolean;
  count: number;
  closes: MarkType[] | null;
  opens: MarkType[] | null;
}

export const item = (kind: ItemKind, text: string, detail: Item['detail'] = null): Item => ({
  kind,
  text,
  detail,
});

export const nodeItem = (node: InlineNode): Item => item('node', '', node);

/** What is left of a delimiter run that was not used up. */
export function restOf(one: Item): string {
  if (one.kind !== 'delimiter') return one.text;
  const run = one.detail as Run;
  return run.count === 0 ? '' : String.fromCharCode(run.code).repeat(run.count);
}
