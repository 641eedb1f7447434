/** Thrown and caught inside this folder: a formula that is not understood is shown as its source. */
export class NotUnderstood extends Error {}

/** Whether `&` aligns and `\\` breaks the line. In a group, they mean nothing. */
export type Mode = 'group' | 'lines';

/** The part of the parser that readers of commands and environments need. */
export interface Parser {
  peek(): string | undefined;
  next(): string;
  /** Whether the token that was read last is the first of the formula. */
  isFirst(): boolean;
  take(token: string): boolean;
  /** Everything up to the end, which is not consumed. */
  until(isEnd: () => boolean, mode: Mode): string;
  /** A group in braces, or a single atom. */
  argument(mode?: Mode): string;
  /** A group in braces as plain text: the name of an environment, a color, a length. */
  name(): string;
  /** An optional argument in brackets. */
  option(): string | undefined;
}
