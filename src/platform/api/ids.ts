import { customAlphabet } from 'nanoid';
import { crc32 } from 'node:zlib';

const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const randomId = customAlphabet(LETTERS, 20);
const randomSecret = customAlphabet(LETTERS, 32);

/** 119 random bits: never sequential, safe in a URL, unguessable enough to serve as an invitation link. */
export const newId = (): string => randomId();

/** A bearer token: 190 random bits behind a prefix and before a checksum, both for secret scanners only. */
export function newToken(): string {
  const secret = randomSecret();
  return `ov_${secret}${checksum(secret)}`;
}

/** A one-time secret for a link in a mail. */
export const newSecret = (): string => randomSecret();

function checksum(text: string): string {
  let rest = crc32(text);
  let out = '';
  for (let i = 0; i < 6; i++) {
    out = LETTERS.charAt(rest % 62) + out;
    rest = Math.floor(rest / 62);
  }
  return out;
}
