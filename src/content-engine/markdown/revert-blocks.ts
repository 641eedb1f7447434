import { parse } from './analyse.ts';
import { pairUp } from './diff.ts';
import { rangesOf } from './ranges.ts';

/**
 * The body `after`, but where a block with one of the keys came, changed or went, as it was `before`. All blocks between
 * two that stayed came, changed or went together.
 */
export function revertBlocks(before: string, after: string, keys: ReadonlySet<string>): string {
  const [old, now] = [blocksOf(before), blocksOf(after)];
  // Blank lines behind a block are no part of it: the last one has none.
  const trimmed = (blocks: typeof old) => textsOf(blocks).map((text) => text.trimEnd());
  const stays = pairUp(trimmed(old), trimmed(now));
  let text = '';
  let [fromOld, fromNow] = [0, 0];
  for (const [o, n] of [...stays, [old.length, now.length] as const]) {
    const [gone, come] = [old.slice(fromOld, o), now.slice(fromNow, n)];
    const isMeant = [...gone, ...come].some(({ key }) => keys.has(key));
    text += textsOf(isMeant ? gone : come).join('') + (now[n]?.text ?? '');
    [fromOld, fromNow] = [o + 1, n + 1];
  }
  return text;
}

const blocksOf = (body: string) =>
  rangesOf(parse(body)).map(({ start, end, key }) => ({ key, text: body.slice(start, end) }));

const textsOf = (blocks: readonly { readonly text: string }[]): string[] => blocks.map(({ text }) => text);
