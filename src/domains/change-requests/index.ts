export { reviseRequest } from './edit.ts';
export { pinMerged } from './merge/merge.ts';
export { proposeContent, withdrawContent } from './propose.ts';
export { bodyTasksFor } from './merge/run-body-tasks.ts';
export { changeRequests, requestContent, type ChangeRequestRow, type RequestContentRow } from './policy.ts';
export { presentChangeRequest } from './present.ts';
export { pinPreview, previewMerge } from './merge/preview-merge.ts';
export { requiresReviews } from './merge/merge-rules.ts';
export { authorId, ChangeRequest, ContentPath, RequestPath } from './schema.ts';
export { requirePending } from './status.ts';
export {
  findChangeRequest,
  findVersions,
  getMergeFacts,
  lockChangeRequest,
  queueOfRequest,
  type RequestVersions,
} from './store.ts';
export { addContribution } from './people-store.ts';
