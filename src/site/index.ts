/** Published pages as functions from a model to HTML, and the files that they load. */
export { renderContents, renderPage } from './layout/page.ts';
export { renderSearchPage, renderSearchResults } from './layout/search-page.ts';
export { renderAccessPage, renderFailure, renderFeedbackReceived, renderNotFound } from './layout/notice.ts';
export { diagramPolicy, renderDiagramFrame } from './layout/diagram-frame.ts';
export { openAssets } from './assets/open.ts';
export { serveAsset } from './assets/serve.ts';
export { type AssetName } from './assets/catalog.ts';
export { pagePolicy } from './style/policy.ts';
export { pageStyle } from './style/inputs.ts';
export { iconHref } from './icons/icon.ts';
export { contentWordsOf } from './locales/content-words.ts';
export { LOCALES } from './locales/index.ts';
export type { Customization } from './customization.ts';
export type * from './model.ts';
