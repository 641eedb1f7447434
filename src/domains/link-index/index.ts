export { indexLinks, type BodyFacts, type ContentChange } from './index-links.ts';
