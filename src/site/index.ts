/** Published pages as functions from a model to HTML, and the files that they load. */
export { BODY } from './layout/article.ts';
export { renderContents, renderPage } from './layout/page.ts';
export { renderSearchPage, renderSearchResults } from './layout/search-page.ts';
export {
  renderAccessPage,
  renderFailure,
  renderFeedbackReceived,
  renderNotFound,
  type PageFailure,
} from './layout/notice.ts';
export { diagramPolicy, renderDiagramFrame } from './layout/diagram-frame.ts';
export { openAssets } from './assets/open.ts';
export { serveAsset } from './assets/serve.ts';
export { ASSET_PATH, type AssetCatalog, type AssetName } from './assets/catalog.ts';
export { pagePolicy } from './style/policy.ts';
export { pageStyle } from './style/inputs.ts';
export { iconHref, iconNames } from './icons/icon.ts';
export { contentWordsOf } from './locales/content-words.ts';
export { directionOf, LOCALES, wordsOf } from './locales/index.ts';
export type { Customization } from './customization.ts';
export type * from './model.ts';
