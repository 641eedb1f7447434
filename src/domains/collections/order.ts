import { generateKeyBetween, generateNKeysBetween } from 'fractional-indexing';
import type { Database } from '../../platform/database/connection.ts';
import { badRequest, conflict } from '../../platform/api/errors.ts';
import { MAX_POSITION, shortenPositions } from './shorten-positions.ts';
import {
  findLastPosition,
  findNeighbour,
  findSibling,
  listSiblings,
  lockOrder,
  setPositions,
  type Among,
  type Parent,
} from './store.ts';

/** Next to which sibling. Spaces and collections share one order. */
export interface Pointers {
  readonly before?: string | undefined;
  readonly after?: string | undefined;
}

interface Moving {
  readonly id: string;
  readonly parentId: string | null;
  readonly position: string;
}

/** The key of a position at the end. Takes the lock under which all positions of an organization are assigned. */
export async function positionAtEnd(db: Database, parent: Parent): Promise<string> {
  const [position = ''] = await positionsAtEnd(db, parent, 1);
  return position;
}

/** The keys of several positions at the end. */
export async function positionsAtEnd(db: Database, parent: Parent, count: number): Promise<string[]> {
  await lockOrder(db, [parent.organizationId]);
  return generateNKeysBetween((await findLastPosition(db, parent, 'all', '')) ?? null, null, count);
}

/**
 * The key for the position that the pointers name; without pointers, at the end. Keys are assigned under one lock and
 * are unique, so that the order remains total however many items move concurrently.
 */
export async function positionFor(
  db: Database,
  parent: Parent,
  pointers: Pointers,
  moving: Moving,
): Promise<string> {
  const [above, below] = await gapOf(db, parent, 'live', pointers, moving.id);
  const isThere =
    moving.parentId === parent.parentId &&
    (above === null || above < moving.position) &&
    (below === null || moving.position < below);
  if (isThere) throw conflict('It is already at this position.');
  const position = generateKeyBetween(...(await gapOf(db, parent, 'all', pointers, moving.id)));
  if (position.length <= MAX_POSITION) return position;
  await setPositions(db, shortenPositions(await listSiblings(db, parent), position));
  return generateKeyBetween(...(await gapOf(db, parent, 'all', pointers, moving.id)));
}

type Gap = readonly [lower: string | null, upper: string | null];

async function gapOf(
  db: Database,
  parent: Parent,
  among: Among,
  { before, after }: Pointers,
  movingId: string,
): Promise<Gap> {
  if (before === undefined && after === undefined)
    return [(await findLastPosition(db, parent, among, movingId)) ?? null, null];
  const lower = after === undefined ? undefined : await siblingAt(db, parent, after, movingId, 'after');
  const upper = before === undefined ? undefined : await siblingAt(db, parent, before, movingId, 'before');
  const next = lower && (await findNeighbour(db, parent, among, lower, 'next', movingId));
  const previous = upper && (await findNeighbour(db, parent, among, upper, 'previous', movingId));
  if (among === 'live' && lower !== undefined && upper !== undefined && next !== upper) {
    throw badRequest('`position.after` and `position.before` are not adjacent. Send only one of them.');
  }
  return [lower ?? previous ?? null, next ?? upper ?? null];
}

async function siblingAt(
  db: Database,
  parent: Parent,
  id: string,
  movingId: string,
  name: string,
): Promise<string> {
  if (id === movingId) throw badRequest(`\`position.${name}\` refers to the item that is being moved.`);
  const position = await findSibling(db, parent, id);
  if (position === undefined)
    throw badRequest(`\`position.${name}\` refers to an item in another collection.`);
  return position;
}
