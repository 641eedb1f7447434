export { DEFAULT_CUSTOMIZATION } from './defaults.ts';
export { effectiveCustomization, readerTheme } from './merge-settings.ts';
export { Customization, LOCALES, type LinkTarget, type PartialCustomization } from './schema.ts';
export { findOverrides, findSiteCustomization, listOverrides, sizeOfOverrides } from './store.ts';
