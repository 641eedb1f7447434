export { gitOperations } from './policy.ts';
