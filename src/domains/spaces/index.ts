export { spaces, type SpaceRow } from './policy.ts';
export { presentSpace } from './present.ts';
export { Space } from './schema.ts';
export { getSpace } from './store.ts';
