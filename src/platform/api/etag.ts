import { hash } from 'node:crypto';

/**
 * `"<version>-<hash of the answer>"`. Equal tags mean equal bytes, counts and flags included, so a 304 is never stale;
 * `If-Match` compares the version alone, so that a new comment does not make a change of the title fail.
 */
export const etagOf = (version: string | number, body: string | Buffer): string =>
  etagOfHash(version, hash('sha1', body, 'base64url'));

/** The ETag of a response by the SHA-1 of its body. */
export const etagOfHash = (version: string | number, sha1: string): string =>
  `"${version}-${sha1.slice(0, 16)}"`;

export function matchesEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header === etag || header.trim() === '*' || tagsOf(header).includes(opaque(etag));
}

export function matchesVersion(header: string, version: string | number): boolean {
  if (header.trim() === '*') return true;
  return tagsOf(header).some((tag) => tag === String(version) || tag.startsWith(`${version}-`));
}

const tagsOf = (header: string): string[] => header.split(',').map(opaque);

const opaque = (tag: string): string => tag.trim().replace(/^W\//, '').replaceAll('"', '');
