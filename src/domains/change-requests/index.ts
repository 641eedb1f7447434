export { changeRequests, requestContent, type ChangeRequestRow } from './policy.ts';
export { asksForReviews } from './rules.ts';
export { authorId, RequestPath } from './schema.ts';
export { requirePending } from './status.ts';
export { getMergeFacts, lockChangeRequest, queueOfRequest } from './store.ts';
export { noteContribution } from './people-store.ts';
