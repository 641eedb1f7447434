/**
 * Documents as HTML: the body of a published page, its outline, and what the page must load for it. Pure. The markup is
 * semantic, has no script, style or event handler, and every text and URL passes one serialiser.
 */
export { describeEmbed } from './blocks/embeds.ts';
export { renderHtml } from './render.ts';
export { factsOf, type PageFacts } from './page-facts.ts';
export { featuresOf, symbolsIn, type Features } from './features.ts';
export type { HtmlBody, HtmlFile, HtmlOptions, Target } from './options.ts';
export { element } from './node.ts';
export type { ApiWords } from './api-words.ts';
export { ENGLISH } from './words.ts';
