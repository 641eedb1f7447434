/** A pattern for `ilike` that finds `text` anywhere, whatever characters it holds. */
export const containing = (text: string): string => `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
