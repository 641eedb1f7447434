export { deleteInvitesInto } from './store.ts';
