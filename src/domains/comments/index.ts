export type { CommentColumns } from './policy.ts';
export { writtenBy } from './post.ts';
export { presentComment, type Shown } from './present.ts';
export { Body, Comment } from './schema.ts';
export { asPosted, getReviewComments, insertComments } from './store.ts';
export { textOf } from './text.ts';
