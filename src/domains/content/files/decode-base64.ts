/**
 * Decodes base64, with or without padding and white space. Undefined if it is not valid: Node skips other characters, so that
 * the bytes would differ from the intended ones.
 */
export function decodeBase64(text: string): Buffer | undefined {
  const given = text.replaceAll(/\s/g, '');
  const bytes = Buffer.from(given, 'base64');
  return bytes.toString('base64') === given.padEnd(Math.ceil(given.length / 4) * 4, '=') ? bytes : undefined;
}
