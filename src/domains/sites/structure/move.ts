import type { Context } from '../../../platform/api/context.ts';
import { badRequest } from '../../../platform/api/errors.ts';
import { MAX_POSITION, shortenPositions } from '../../collections/index.ts';
import type { SiteRow } from '../policy.ts';
import { lockSite } from '../store.ts';
import { MAX_GROUP_DEPTH, tooDeep } from './add.ts';
import { positionFor, positionsInsteadOf, type Placed, type Pointers } from './order.ts';
import * as sections from './section-store.ts';
import * as siteSpaces from './site-space-store.ts';

export interface Item {
  readonly kind: 'section' | 'group';
  readonly id: string;
}

export interface ItemPosition {
  readonly before?: Item | undefined;
  readonly after?: Item | undefined;
}

const idsOf = ({ before, after }: ItemPosition): Pointers => ({ before: before?.id, after: after?.id });

/** Moves a section or group next to another item, into its group; without one, to the end of the site. */
export async function moveItem(
  ctx: Context,
  site: SiteRow,
  item: Item,
  position: ItemPosition,
): Promise<void> {
  await lockSite(ctx.db, site.site_id);
  const { before, after } = position;
  const groupId = await groupOf(ctx, after ?? before);
  if (before && after && (await groupOf(ctx, before)) !== groupId)
    throw badRequest(
      '`position.after` and `position.before` are in different groups. Send only one of them.',
    );
  await place(ctx, site, item, groupId, idsOf(position));
}

const groupOf = async (ctx: Context, item: Item | undefined): Promise<string | null> =>
  item ? sections.getGroupOf(ctx.db, item) : null;

/** Appends a section or group to a group, or to the root. One that is there already stays where it is. */
export async function moveToGroup(
  ctx: Context,
  site: SiteRow,
  item: Item,
  groupId: string | null,
): Promise<void> {
  await lockSite(ctx.db, site.site_id);
  if ((await sections.getGroupOf(ctx.db, item)) !== groupId) await place(ctx, site, item, groupId, {});
}

async function place(
  ctx: Context,
  site: SiteRow,
  item: Item,
  groupId: string | null,
  pointers: Pointers,
): Promise<void> {
  if (item.kind === 'group') await requireNesting(ctx, item.id, groupId);
  const level = await sections.listLevel(ctx.db, site.site_id, groupId);
  const put = (placed: Item, position: string) => putItem(ctx, placed, { groupId, position });
  await put(item, await shortPositionFor(level, pointers, item.id, put));
}

const putItem = (
  ctx: Context,
  item: Item,
  to: { readonly groupId: string | null; readonly position: string },
): Promise<void> =>
  item.kind === 'section'
    ? sections.placeSection(ctx.db, item.id, to)
    : sections.placeGroup(ctx.db, item.id, to);

/** The position for an item. Where its key is too long, the siblings around it get new ones first. */
async function shortPositionFor<Sibling extends Placed>(
  siblings: readonly Sibling[],
  pointers: Pointers,
  id: string,
  put: (item: Sibling, position: string) => Promise<void>,
): Promise<string> {
  const position = positionFor(siblings, pointers, id);
  if (position.length <= MAX_POSITION) return position;
  const replaced = new Map(shortenPositions(siblings, position).map((item) => [item.id, item]));
  for (const item of replaced.values()) await put(item, item.position);
  return positionFor(
    siblings.map((item) => replaced.get(item.id) ?? item),
    pointers,
    id,
  );
}

async function requireNesting(ctx: Context, id: string, groupId: string | null): Promise<void> {
  const path = await sections.getGroupPath(ctx.db, groupId);
  if (path.includes(id))
    throw badRequest('A section group cannot be moved into itself or into a group that it contains.');
  if (path.length + 1 + (await sections.heightOf(ctx.db, id)) > MAX_GROUP_DEPTH) throw tooDeep();
}

/** Deletes a group. What it contains takes its place. */
export async function dissolveGroup(ctx: Context, site: SiteRow, id: string): Promise<void> {
  await lockSite(ctx.db, site.site_id);
  const groupId = await sections.getGroupOf(ctx.db, { kind: 'group', id });
  const children = await sections.listLevel(ctx.db, site.site_id, id);
  const level = await sections.listLevel(ctx.db, site.site_id, groupId);
  const positions = positionsInsteadOf(level, id, children.length);
  for (const [index, child] of children.entries()) {
    await putItem(ctx, child, { groupId, position: positions[index] ?? '' });
  }
  await sections.deleteGroup(ctx.db, id);
}

/** Removes a section from its group: it is placed after the group. */
export async function removeFromGroup(
  ctx: Context,
  site: SiteRow,
  sectionId: string,
  groupId: string,
): Promise<void> {
  const group: Item = { kind: 'group', id: groupId };
  await moveItem(ctx, site, { kind: 'section', id: sectionId }, { after: group });
}

/** Moves a site space next to another one, into its section; without one, to the end of its own section. */
export async function moveSiteSpace(
  ctx: Context,
  site: SiteRow,
  id: string,
  { before, after }: Pointers,
): Promise<void> {
  await lockSite(ctx.db, site.site_id);
  const sectionId = await siteSpaces.getSectionOf(ctx.db, after ?? before ?? id);
  if (before && after && (await siteSpaces.getSectionOf(ctx.db, before)) !== sectionId)
    throw badRequest(
      '`position.after` and `position.before` are in different sections. Send only one of them.',
    );
  const items = await siteSpaces.listSectionItems(ctx.db, site.site_id, sectionId);
  const put = (placed: Pick<Placed, 'id'>, position: string) =>
    siteSpaces.placeSiteSpace(ctx.db, placed.id, { sectionId, position });
  await put({ id }, await shortPositionFor(items, { before, after }, id, put));
}
