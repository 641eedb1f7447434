/** Neither the database nor a file can store such text. */
export const isUnstorable = (text: string): boolean => text.includes('\u0000') || !text.isWellFormed();

export const STORABLE = 'must be text without NUL characters and unpaired surrogates';
