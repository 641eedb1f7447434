import { diff } from '../../content-engine/map/index.ts';
import type { ContentRecord } from '../../content-engine/tree/index.ts';
import type { Context } from '../../platform/context.ts';
import { conflict } from '../../platform/errors.ts';
import { loaderOf } from './objects.ts';
import type { ContentRow } from './policy.ts';
import { publish } from './publish.ts';
import { lockPrimary } from '../spaces/index.ts';
import { rootOf, treeAt } from './trees.ts';

/** Makes the space show again what a revision of it holds, as one more revision: what was since is not lost. */
export async function restoreRevision(ctx: Context, target: ContentRow): Promise<string> {
  const row = await lockPrimary(ctx.db, target.space_id);
  const load = loaderOf(ctx.db, row.store_id);
  const [before, after] = [rootOf(row), rootOf(target)];
  if (before === after) throw conflict('The space shows exactly this already.');
  const changed = new Map<string, ContentRecord | null>();
  for (const { id, after: record } of await diff<ContentRecord>(load, before, after)) {
    changed.set(id, record ?? null);
  }
  return publish(ctx.db, {
    spaceId: target.space_id,
    authorId: ctx.caller.id,
    type: 'rollback',
    base: { ...row, tree: await treeAt(load, before) },
    changed,
    tree: await treeAt(load, after),
    texts: new Map(),
  });
}
