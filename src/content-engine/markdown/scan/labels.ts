/** Labels of link definitions are compared case-insensitively, with white space collapsed. */
export const normalLabel = (label: string): string => label.trim().replace(/\s+/g, ' ').toLowerCase();
