export { permissionOperations } from './operations-under-prefix.ts';
export { sharedWith } from './policy.ts';
