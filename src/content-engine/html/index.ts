/** HTML pages of other programs as Markdown of our flavour. Pure. */
export { normaliseUrl } from './normalise-url.ts';
export type {
  ConvertedPage,
  ConvertInput,
  ConvertOutcome,
  Generator,
  NavigationItem,
  PageAnalysis,
} from './types.ts';
export { NotText } from './charset.ts';
export { convertPage } from './convert-page.ts';
