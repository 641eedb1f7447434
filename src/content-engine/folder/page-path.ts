/** Whether a file is a page by its name. */
export const isPagePath = (path: string): boolean => /\.mdx?$/i.test(path);

/** A path or name without the extension of pages. */
export const withoutExtension = (path: string): string => path.replace(/\.mdx?$/i, '');
