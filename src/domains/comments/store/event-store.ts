import { sql } from 'kysely';
import { insertEvents } from '../../events/index.ts';

/**
 * Events of the comments or replies that a statement `changed`, as a part of it. Of each changed row it needs `id`,
 * `parent_id`, `space_id`, `change_request_id` and `user_id`, the user who changed it.
 */
const changed = {
  organizationId: sql`s.organization_id`,
  spaceId: sql`s.id`,
  from: sql`from changed k join spaces s on s.id = k.space_id`,
};

const common = { changeRequestId: sql`k.change_request_id`, userId: sql`k.user_id` };

export const insertCommentEvents = (
  type: 'comment_updated' | 'comment_resolved' | 'comment_reopened' | 'comment_deleted',
) => insertEvents(type, { ...changed, data: { commentId: sql`k.id`, ...common } });

export const insertReplyEvents = (
  type: 'comment_reply_posted' | 'comment_reply_updated' | 'comment_reply_deleted',
) =>
  insertEvents(type, {
    ...changed,
    data: { commentId: sql`k.parent_id`, commentReplyId: sql`k.id`, ...common },
  });
