import { diff } from '../../content-engine/map/index.ts';
import type { ContentRecord } from '../../content-engine/tree/index.ts';
import type { Context } from '../../platform/api/context.ts';
import { conflict } from '../../platform/api/errors.ts';
import type { ContentRow } from './policy.ts';
import { lockLive } from './publish.ts';
import { rootOf, treeAt } from '../content-store/index.ts';

/** Makes an older revision the content of the space again, as a new revision: the history remains. */
export async function restoreRevision(ctx: Context, target: ContentRow): Promise<string> {
  const publishing = await lockLive(ctx, target.space_id);
  const { load, base } = publishing;
  const [before, after] = [rootOf(base), rootOf(target)];
  if (before === after) throw conflict('The space already has this content.');
  const changed = new Map<string, ContentRecord | null>();
  for (const { id, after: record } of await diff<ContentRecord>(load, before, after)) {
    changed.set(id, record ?? null);
  }
  const id = await publishing.add({
    authorId: ctx.caller.id,
    type: 'rollback',
    changed,
    tree: await treeAt(ctx, load, after),
    texts: new Map(),
  });
  await publishing.write();
  return id;
}
