import { isBudgetExceeded } from './budget.ts';
import {
  convertPage,
  NotText,
  type ConvertInput,
  type ConvertOutcome,
  type NavigationItem,
} from './html/index.ts';
import { partsOfFile } from './openapi/index.ts';

/**
 * Each page by itself: one that cannot be converted does not fail the others. Pages with the same navigation share it, so
 * that it is copied between threads once.
 */
const convertPages = (inputs: readonly ConvertInput[]): ConvertOutcome[] => {
  let shared: readonly NavigationItem[] = [];
  return inputs.map((input) => {
    try {
      const page = convertPage(input);
      if (!sameNavigation(page.navigation, shared)) shared = page.navigation;
      return { page: { ...page, navigation: shared } };
    } catch (error) {
      if (isBudgetExceeded(error)) return { failure: `The page ${error.message}`, isTooLarge: true };
      if (error instanceof NotText) return { failure: `The page ${error.message}` };
      throw error;
    }
  });
};

const sameNavigation = (one: readonly NavigationItem[], other: readonly NavigationItem[]): boolean =>
  one === other ||
  (one.length === other.length &&
    one.every(({ depth, title, url }, index) => {
      const item = other[index];
      return item?.depth === depth && item.title === title && item.url === url;
    }));

/** The functions of the engine that run in threads, by name. */
export const tasks = { convertPages, partsOfFile };
