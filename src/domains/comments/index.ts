export { createBlockCache } from './anchors/anchor-blocks.ts';
export { documentsOf } from './documents.ts';
export { reactionBytes, type CommentColumns } from './policy.ts';
export { postWithReview } from './post.ts';
export { presentComment, type Shown } from './present.ts';
export { Body, Comment, format } from './schema.ts';
export { getReviewComments } from './store/store.ts';
