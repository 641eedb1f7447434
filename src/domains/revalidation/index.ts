export { tagsOf } from './tags.ts';
