import { normalize } from '../../content-engine/normalize.ts';
import { badRequest } from '../../platform/api/errors.ts';

/** Paths that the server answers itself on every site. */
const RESERVED = /^\/~/;

/** A path as it is compared: decoded, and without case. Undefined: it is no path that a page can have. */
export function sourceKey(path: string): string | undefined {
  const segments = path.split('/').map(decodeSegment);
  if (segments.some((segment) => segment === undefined || segment === '.' || segment === '..'))
    return undefined;
  return normalize(segments.join('/')).toLowerCase();
}

/** The key of a path that is not encoded. */
export const keyOfSegments = (segments: readonly string[]): string =>
  normalize(['', ...segments].join('/')).toLowerCase();

/** Undefined for a segment that is not UTF-8, or that contains a slash, a backslash or a control character. */
export function decodeSegment(segment: string): string | undefined {
  try {
    const text = decodeURIComponent(segment);
    // oxlint-disable-next-line no-control-regex -- they are what is refused
    return /[\u0000-\u001f\u007f/\\]/.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
}

/** 400 for a source that no request can have, or that the server answers itself. */
export function requireSourceKey(source: string, path: string): string {
  const key = sourceKey(source);
  if (key === undefined) {
    throw badRequest(
      `The source (${path}) is not a path that a page can have: it must be UTF-8, and have no segments "." or ".." and no encoded slash.`,
      [{ path, rule: 'path of a page' }],
    );
  }
  if (RESERVED.test(key)) {
    throw badRequest(`The source (${path}) must not begin with /~, which the server uses itself.`, [
      { path, rule: 'not reserved' },
    ]);
  }
  return key;
}
