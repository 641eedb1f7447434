export { createBlockCache } from './anchors/anchor-blocks.ts';
export { documentsOf } from './documents.ts';
export {
  comments,
  reactionBytes,
  replies,
  requestComments,
  requestReplies,
  type CommentColumns,
  type CommentRow,
  type ReplyRow,
} from './policy.ts';
export { postWithReview } from './post.ts';
export { presentComment, type Shown } from './present.ts';
export { Body, Comment, format } from './schema.ts';
export { getReviewComments } from './store/store.ts';
