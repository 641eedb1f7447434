import { generateKeyBetween, generateNKeysBetween } from 'fractional-indexing';
import { badRequest } from '../../../platform/api/errors.ts';

/** An item among its siblings. */
export interface Placed {
  readonly id: string;
  readonly position: string;
  /** It keeps its position, but no item is placed next to it: its space is deleted. */
  readonly isHidden?: boolean;
}

/** The siblings that an item is placed next to. Neither: it is placed last. */
export interface Pointers {
  readonly before?: string | undefined;
  readonly after?: string | undefined;
}

/**
 * The position of an item among its siblings, which are sorted. An item that is already there keeps its position. Called
 * under the lock of the site, so that positions are unique.
 */
export function positionFor(
  siblings: readonly Placed[],
  { before, after }: Pointers,
  movingId?: string,
): string {
  const others = siblings.filter(({ id }) => id !== movingId);
  const index = indexFor(others, { before, after });
  const moving = siblings.findIndex(({ id }) => id === movingId);
  const current = siblings[moving];
  if (current && moving === index) return current.position;
  return generateKeyBetween(others[index - 1]?.position ?? null, others[index]?.position ?? null);
}

function indexFor(others: readonly Placed[], { before, after }: Pointers): number {
  const lower = after === undefined ? -1 : indexOf(others, after, 'after');
  const upper = before === undefined ? others.length : indexOf(others, before, 'before');
  if (after !== undefined && before !== undefined) {
    const between = others.slice(lower + 1, upper);
    if (lower >= upper || between.some(({ isHidden }) => !isHidden))
      throw badRequest('`position.after` and `position.before` are not adjacent. Send only one of them.');
  }
  return after === undefined ? upper : lower + 1;
}

function indexOf(others: readonly Placed[], id: string, name: string): number {
  const index = others.findIndex((item) => item.id === id);
  if (index < 0) throw badRequest(`\`position.${name}\` refers to the item that is being moved.`);
  return index;
}

export const positionsAtEnd = (siblings: readonly Placed[], count: number): string[] =>
  generateNKeysBetween(siblings.at(-1)?.position ?? null, null, count);

/** Positions for items that replace one of the siblings. */
export function positionsInsteadOf(siblings: readonly Placed[], id: string, count: number): string[] {
  const index = siblings.findIndex((item) => item.id === id);
  return generateNKeysBetween(
    siblings[index - 1]?.position ?? null,
    siblings[index + 1]?.position ?? null,
    count,
  );
}
