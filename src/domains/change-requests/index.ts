export { reviseRequest } from './edit.ts';
export { changeRequests, requestContent, type ChangeRequestRow, type RequestContentRow } from './policy.ts';
export { requiresReviews } from './merge-rules.ts';
export { authorId, ContentPath, RequestPath } from './schema.ts';
export { requirePending } from './status.ts';
export { getMergeFacts, lockChangeRequest, queueOfRequest } from './store.ts';
export { addContribution } from './people-store.ts';
