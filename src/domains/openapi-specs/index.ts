export { openapiSpecs } from './policy.ts';
