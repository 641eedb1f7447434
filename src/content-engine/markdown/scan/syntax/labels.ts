/**
 * Labels of link definitions are compared case-insensitively, with white space collapsed. Upper case after lower case folds
 * letters such as `ẞ`, whose lower case is `ß`.
 */
export const normalLabel = (label: string): string =>
  label.trim().replace(/\s+/g, ' ').toLowerCase().toUpperCase();
