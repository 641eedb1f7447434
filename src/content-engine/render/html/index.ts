/**
 * Documents as HTML: the body of a published page, its outline, and what the page must load for it. Pure. The markup is
 * semantic, has no script, style or event handler, and every text and URL passes one serialiser.
 */
export { renderHtml, renderHtmlInSlices } from './render.ts';
export {
  factsOf,
  renderSource,
  type PageFacts,
  type RenderedPage,
  type RenderInput,
} from './render-source.ts';
export { featuresOf, joinFeatures, symbolsIn, type Features } from './features.ts';
export type {
  HtmlBody,
  HtmlFile,
  HtmlOptions,
  Need,
  OpenAPIBlock,
  OpenAPIContent,
  OutlineEntry,
  Target,
} from './options.ts';
export { element, type HtmlNode } from './node.ts';
export { icon } from './icons.ts';
export { htmlBudget } from './serialise.ts';
export { ENGLISH, type Words } from './words.ts';
export { RESERVED } from './page-state.ts';
