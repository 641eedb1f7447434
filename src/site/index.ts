/** Published pages as functions from a model to HTML, and the files that they load. */
export {
  renderAccessPage,
  renderContents,
  renderFeedbackReceived,
  renderNotFound,
  renderPage,
  renderSearchPage,
  renderSearchResults,
} from './layout/render.ts';
export { diagramPolicy, renderDiagramFrame } from './layout/diagram-frame.ts';
export { openAssets, type AssetCatalog } from './assets/catalog.ts';
export { ASSET_PATH, serveAsset } from './assets/serve.ts';
export { pagePolicy } from './style/policy.ts';
export { pageStyle } from './style/inputs.ts';
export { iconHref } from './icons/icon.ts';
export { directionOf, LOCALES, wordsOf } from './locales/index.ts';
export { DEFAULT_CUSTOMIZATION, type Customization } from './customization.ts';
export type * from './model.ts';
