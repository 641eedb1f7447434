export { effectiveCustomization, readerTheme } from './merge-settings.ts';
export { Customization, type LinkTarget, type PartialCustomization } from './schema.ts';
export { findOverrides, findSiteCustomization, listOverrides, sizeOfOverrides } from './store.ts';
