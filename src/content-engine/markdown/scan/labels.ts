/** Labels of link definitions are compared without regard to case and runs of blanks. */
export const normalLabel = (label: string): string => label.trim().replace(/\s+/g, ' ').toLowerCase();
