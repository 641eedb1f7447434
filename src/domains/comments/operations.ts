import Type from 'typebox';
import { on } from '../../platform/api/operation.ts';
import { idOf } from '../../platform/api/resource.ts';
import { queueOfRequest, requestContent } from '../change-requests/index.ts';
import { primaryContent } from '../content/index.ts';
import { queueOfSpace, spaces } from '../spaces/index.ts';
import { commentOperations } from './operations-under-prefix.ts';
import { comments, replies, requestComments, requestReplies } from './policy.ts';
import { FormatQuery } from './schema.ts';

const inSpace = commentOperations({
  prefix: '/v1/spaces/{spaceId}',
  params: { spaceId: idOf(primaryContent, 'view') },
  queue: queueOfSpace,
  of: 'a space',
  mayOnContent: on(primaryContent),
  comments,
  replies,
  replyQuery: Type.Object({}),
});
export const listCommentsInSpace = inSpace.list;
export const postCommentInSpace = inSpace.post;
export const getCommentInSpace = inSpace.get;
export const updateCommentInSpace = inSpace.update;
export const deleteCommentInSpace = inSpace.delete;
export const listCommentRepliesInSpace = inSpace.listReplies;
export const postCommentReplyInSpace = inSpace.postReply;
export const getCommentReplyInSpace = inSpace.getReply;
export const updateCommentReplyInSpace = inSpace.updateReply;
export const deleteCommentReplyInSpace = inSpace.deleteReply;
export const listCommentersInSpace = inSpace.commenters;

const inRequest = commentOperations({
  prefix: '/v1/spaces/{spaceId}/change-requests/{changeRequestId}',
  params: { spaceId: idOf(spaces, 'view'), changeRequestId: idOf(requestContent, 'view') },
  queue: queueOfRequest,
  of: 'a change request',
  mayOnContent: on(requestContent),
  comments: requestComments,
  replies: requestReplies,
  replyQuery: FormatQuery,
});
export const listCommentsInChangeRequest = inRequest.list;
export const postCommentInChangeRequest = inRequest.post;
export const getCommentInChangeRequest = inRequest.get;
export const updateCommentInChangeRequest = inRequest.update;
export const deleteCommentInChangeRequest = inRequest.delete;
export const listCommentRepliesInChangeRequest = inRequest.listReplies;
export const postCommentReplyInChangeRequest = inRequest.postReply;
export const getCommentReplyInChangeRequest = inRequest.getReply;
export const updateCommentReplyInChangeRequest = inRequest.updateReply;
export const deleteCommentReplyInChangeRequest = inRequest.deleteReply;
export const listCommentersInChangeRequest = inRequest.commenters;
