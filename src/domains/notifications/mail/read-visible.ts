import { readRows } from '../../../platform/access/read-rows.ts';
import type { Context } from '../../../platform/api/context.ts';
import type { Resource, Row } from '../../../platform/api/resource.ts';
import { changeRequests, type ChangeRequestRow } from '../../change-requests/index.ts';
import {
  comments,
  getReviewComments,
  replies,
  requestComments,
  requestReplies,
  type CommentColumns,
  type CommentRow,
  type ReplyRow,
} from '../../comments/index.ts';
import { gitOperations } from '../../git-sync/index.ts';
import { importRuns } from '../../imports/index.ts';
import { reviews } from '../../reviews/index.ts';
import { spaces, type SpaceRow } from '../../spaces/index.ts';
import { findUsers, users } from '../../users/index.ts';
import type { NotificationRow } from '../store.ts';
import { beginningOf, mentionedUsers } from './comment-text.ts';

type Found<R extends Resource> = R extends Resource<infer Columns> ? Map<string, Columns> : never;

/**
 * What notifications are about, as their recipient may view it now: read through the resources of the API, which omit what
 * was deleted and what the recipient may no longer view.
 */
export interface Visible {
  readonly spaces: Found<typeof spaces>;
  readonly requests: Found<typeof changeRequests>;
  /** On spaces and in change requests. */
  readonly comments: Map<string, CommentRow>;
  readonly replies: Map<string, ReplyRow>;
  readonly reviews: Found<typeof reviews>;
  readonly reviewComments: Map<string, CommentColumns>;
  readonly gitOperations: Found<typeof gitOperations>;
  readonly importRuns: Found<typeof importRuns>;
  /** Names of those who did it, and of those whom comments mention. */
  readonly names: ReadonlyMap<string, string>;
}

export type { ChangeRequestRow, CommentRow, SpaceRow };

type Reading = Pick<Context, 'db' | 'caller'>;

export async function readVisible(ctx: Reading, rows: readonly NotificationRow[]): Promise<Visible> {
  const find = <R extends Row, A extends string>(
    resource: Resource<R, A>,
    ids: readonly (string | null)[],
  ): Promise<Map<string, R>> => readRows(ctx, resource, [...new Set(ids.filter((id) => id !== null))]);
  const subjectsOf = (...kinds: readonly NotificationRow['kind'][]) =>
    rows.filter(({ kind }) => kinds.includes(kind)).map(({ subject_id: id }) => id);
  const posted = rows.filter(({ comment_id: id }) => id !== null);
  const idsIn = (isInRequest: boolean, column: 'comment_id' | 'subject_id') =>
    posted.filter(({ change_request_id: id }) => (id !== null) === isInRequest).map((row) => row[column]);
  const visible = {
    spaces: await find(
      spaces,
      rows.map(({ space_id: id }) => id),
    ),
    requests: await find(
      changeRequests,
      rows.map(({ change_request_id: id }) => id),
    ),
    comments: new Map([
      ...(await find(comments, idsIn(false, 'comment_id'))),
      ...(await find(requestComments, idsIn(true, 'comment_id'))),
    ]),
    replies: new Map([
      ...(await find(replies, idsIn(false, 'subject_id'))),
      ...(await find(requestReplies, idsIn(true, 'subject_id'))),
    ]),
    reviews: await find(reviews, subjectsOf('reviewSubmitted')),
    gitOperations: await find(gitOperations, subjectsOf('gitSyncFailed')),
    importRuns: await find(importRuns, subjectsOf('importFinished')),
  };
  const reviewComments = await getReviewComments(ctx.db, [...visible.reviews.keys()]);
  const texts = [visible.comments, visible.replies, reviewComments].flatMap((found) =>
    [...found.values()].map(({ markdown }) => beginningOf(markdown)),
  );
  const names = new Map<string, string>();
  // Mentions may name anyone: only those whom the recipient may view have a name.
  for (const [id, user] of await find(users, texts.flatMap(mentionedUsers))) names.set(id, user.display_name);
  const actors = await findUsers(
    ctx.db,
    rows.map(({ actor_id: id }) => id),
  );
  for (const [id, user] of actors) names.set(id, user.display_name);
  return { ...visible, reviewComments, names };
}
