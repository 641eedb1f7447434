import type { ContentRef, InlineNode, PlainMark } from '../../../document/index.ts';
import type { MarkColors } from './inline-builder.ts';

/**
 * What the inline scanner finds, in order. Brackets, delimiters and tags are text until their partner is found. All items
 * have the same members in the same order, so that the engine treats them as one class.
 */
export type Item =
  | { kind: 'text'; text: string; detail: null }
  | { kind: 'delimiter'; text: ''; detail: Run }
  | { kind: 'open' | 'close'; text: PlainMark; detail: null }
  /** The colours of a mark; null ends it. */
  | { kind: 'color'; text: ''; detail: MarkColors | null }
  | { kind: 'node'; text: ''; detail: InlineNode }
  | { kind: 'link'; text: string; detail: ContentRef }
  | { kind: 'unlink' | 'nothing'; text: ''; detail: null }
  /** Its text is the label of the footnote. */
  | { kind: 'annotation'; text: string; detail: null };

/** A run of delimiters: how many are left, and which marks they end and begin. */
export interface Run {
  readonly code: number;
  readonly length: number;
  readonly canOpen: boolean;
  readonly canClose: boolean;
  count: number;
  closes: PlainMark[] | null;
  opens: PlainMark[] | null;
}

export const textItem = (text: string): Item => ({ kind: 'text', text, detail: null });
export const runItem = (run: Run): Item => ({ kind: 'delimiter', text: '', detail: run });
export const markItem = (kind: 'open' | 'close', mark: PlainMark): Item => ({
  kind,
  text: mark,
  detail: null,
});
export const colorItem = (colors: MarkColors | null): Item => ({ kind: 'color', text: '', detail: colors });
export const nodeItem = (node: InlineNode): Item => ({ kind: 'node', text: '', detail: node });
export const linkItem = (ref: ContentRef): Item => ({ kind: 'link', text: '', detail: ref });
export const annotationItem = (label: string): Item => ({ kind: 'annotation', text: label, detail: null });
export const unlinkItem = (): Item => ({ kind: 'unlink', text: '', detail: null });
export const nothingItem = (): Item => ({ kind: 'nothing', text: '', detail: null });

/** Makes an item that was text until now another one, in place. */
export function replaceItem(item: Item, other: Item): void {
  Object.assign(item, other);
}

/** The text of an item: of a run, the delimiters that were not used up. */
export function textOfItem(item: Item): string {
  if (item.kind !== 'delimiter') return item.text;
  const { count, code } = item.detail;
  return count === 0 ? '' : String.fromCharCode(code).repeat(count);
}
