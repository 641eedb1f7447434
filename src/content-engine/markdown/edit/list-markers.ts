import type { BlockNode } from '../../document/index.ts';
import { startOf } from '../blocks/lists.ts';
import type { Token } from '../scan/token.ts';

/** Changes of numbers and bullets in items that otherwise keep their bytes. */

const NUMBER = /^([ \t>]*)(\d{1,9})(?=[.)])/;

const withNumber = (text: string, number: (old: number) => number): string =>
  text.replace(NUMBER, (_all, lead: string, old: string) => `${lead}${number(Number(old))}`);

/** An item or list with its number shifted, as the start of its list changed. */
export const shifted = (text: string, shift: number): string =>
  shift === 0 ? text : withNumber(text, (old) => Math.max(0, old + shift));

/** Items with the start of the list as their first number. */
export const withStart = (items: string, list: BlockNode): string =>
  list.type === 'list-ordered' ? withNumber(items, () => startOf(list)) : items;

/** An item with the marker of another list. */
export const marked = (item: string, { name }: Token, number: number): string =>
  item.replace(name[0] === '1' ? /^(\s*)\d+[.)]/ : /^(\s*)[-+*]/, (_all, lead: string) =>
    name[0] === '1' ? `${lead}${number}${name[1] ?? '.'}` : lead + name,
  );
