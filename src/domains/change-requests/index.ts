export { changeRequests, requestContent, type ChangeRequestRow } from './policy.ts';
export { requiresReviews } from './merge-rules.ts';
export { authorId, RequestPath } from './schema.ts';
export { requirePending } from './status.ts';
export { getMergeFacts, lockChangeRequest, queueOfRequest } from './store.ts';
export { addContribution } from './people-store.ts';
