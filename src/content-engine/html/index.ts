/** HTML pages of other programs as Markdown of our flavour. Pure. */
export type {
  ConvertedPage,
  ConvertInput,
  ConvertOutcome,
  Generator,
  NavigationItem,
  PageAnalysis,
} from './types.ts';
