import type { Static } from 'typebox';
import type { Context } from '../../platform/api/context.ts';
import { conflict } from '../../platform/api/errors.ts';
import { requireMay } from '../../platform/api/resource.ts';
import { posted, type Posted } from './policy.ts';
import type { Body, CommentChange } from './schema.ts';
import { setResolved, setText } from './change-store.ts';
import { addReactions, removeReactions } from './reaction-store.ts';
import { textOf } from './text.ts';

/** Of all people together: every answer names them. Two who come at the same moment may both still be let in. */
const MAX_REACTIONS = 1000;

type Change = Static<typeof CommentChange>;

/** Changes a comment or a reply (`id`). What each part of the change needs is asked before anything is done. */
export async function update(ctx: Context, id: string, row: Posted, change: Change): Promise<void> {
  const may = (action: 'edit' | 'resolve' | 'reply', what: string) =>
    requireMay(posted, action, row, ctx.caller.id, what);
  const { body, resolved, addedReactions = [], removedReactions = [] } = change;
  if (body) may('edit', "edit other users' texts");
  if (resolved !== undefined) may('resolve', "resolve or reopen other users' comments");
  if (addedReactions.length + removedReactions.length > 0) may('reply', 'react here');

  if (body) await setText(ctx.db, id, ctx.caller.id, textOf(body as Body));
  if (resolved !== undefined) await setResolved(ctx.db, id, ctx.caller.id, resolved);
  if (removedReactions.length > 0) await removeReactions(ctx.db, id, ctx.caller.id, removedReactions);
  if (addedReactions.length === 0) return;
  const count = await addReactions(ctx.db, id, ctx.caller.id, addedReactions);
  if (count > MAX_REACTIONS) throw conflict(`The limit of ${MAX_REACTIONS} reactions is reached.`);
}
