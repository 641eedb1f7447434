import type { Static } from 'typebox';
import type { Context } from '../../platform/api/context.ts';
import { conflict } from '../../platform/api/errors.ts';
import { requireMay } from '../../platform/api/resource.ts';
import { posted, type Posted } from './policy.ts';
import type { Body, CommentChange } from './schema.ts';
import { setResolved, setText, type Posting } from './store/update-store.ts';
import { addReactions, removeReactions } from './store/reaction-store.ts';
import { markdownOf } from './read-body.ts';

/**
 * The limit of the reactions of all people to one comment, because every answer names them. Concurrent requests may
 * exceed it a little.
 */
const MAX_REACTIONS = 1000;
const MAX_REACTIONS_OF_USER = 20;

type Change = Static<typeof CommentChange>;

/** Changes a comment or a reply. The access that each part of the change needs is checked before any part is written. */
export async function update(
  ctx: Context,
  { posting, id }: { readonly posting: Posting; readonly id: string },
  row: Posted,
  change: Change,
): Promise<void> {
  const may = (action: 'edit' | 'resolve' | 'reply', what: string) =>
    requireMay(posted, action, row, ctx.caller.id, what);
  const { body, resolved, addedReactions = [], removedReactions = [] } = change;
  if (body) may('edit', "edit other users' texts");
  if (resolved !== undefined) may('resolve', "resolve or reopen other users' comments");
  if (addedReactions.length + removedReactions.length > 0) may('reply', 'react here');

  if (body) await setText(ctx.db, posting, id, ctx.caller.id, markdownOf(body as Body));
  if (resolved !== undefined) await setResolved(ctx.db, id, ctx.caller.id, resolved);
  if (removedReactions.length > 0) await removeReactions(ctx.db, id, ctx.caller.id, removedReactions);
  if (addedReactions.length === 0) return;
  const { count, own } = await addReactions(ctx.db, id, ctx.caller.id, addedReactions);
  if (own > MAX_REACTIONS_OF_USER)
    throw conflict(
      `The limit of ${MAX_REACTIONS_OF_USER} reactions of one user is reached. Remove one first.`,
    );
  if (count > MAX_REACTIONS) throw conflict(`The limit of ${MAX_REACTIONS} reactions is reached.`);
}
