export { reviews } from './policy.ts';
