export { changeRequests, requestContent, type ChangeRequestRow } from './policy.ts';
export { presentPerson } from './present.ts';
export { asksForReviews } from './rules.ts';
export { authorId } from './schema.ts';
export { requirePending } from './status.ts';
export { getMergeFacts, lockChangeRequest } from './store.ts';
export { noteContribution } from './people/store.ts';
