export { finerScopes } from './installations/reach.ts';
