export { changeRequests, requestContent } from './policy.ts';
export { presentPerson } from './present.ts';
export { noteContribution } from './store.ts';
