import type { ContentRef } from './document.ts';

/**
 * What an address means depends on where the page stands, so the engine alone knows only its text. A caller passes
 * `resolve` (address to reference) when reading, and `hrefOf` (reference to address) when writing; without them
 * addresses are kept as URLs, and references that have no address are written with the scheme `octavo:`.
 */

export type HrefKind =
  | 'link'
  | 'image'
  | 'mention'
  | 'content-ref'
  | 'include'
  | 'file'
  | 'embed'
  | 'button'
  | 'openapi'
  | 'drawing';

/** One address in a body. `start` and `end` are the offsets of the bytes that spell it. */
export interface Href {
  readonly start: number;
  readonly end: number;
  readonly href: string;
  readonly kind: HrefKind;
}

export type Resolve = (href: Href) => ContentRef | undefined;
export type HrefOf = (ref: ContentRef) => string | undefined;

const SCHEME = 'octavo:';

export function defaultRef(href: string, kind: HrefKind): ContentRef {
  const own = href.startsWith(SCHEME) ? readOwn(href.slice(SCHEME.length)) : undefined;
  if (own) return own;
  if (kind === 'file' || kind === 'drawing') return { kind: 'file', file: href };
  if (kind === 'include') return { kind: 'reusable-content', reusableContent: href };
  if (href.startsWith('#') && href.length > 1 && kind !== 'image')
    return { kind: 'anchor', anchor: href.slice(1) };
  return { kind: 'url', url: href };
}

/** A reference that a place of the schema takes: images take files and URLs only. */
export function fitRef(ref: ContentRef, kind: HrefKind, href: string): ContentRef {
  if (kind === 'image') return ref.kind === 'file' || ref.kind === 'url' ? ref : { kind: 'url', url: href };
  if (kind === 'file' || kind === 'drawing') return ref.kind === 'file' ? ref : { kind: 'file', file: href };
  if (kind === 'include') {
    return ref.kind === 'reusable-content' ? ref : { kind: 'reusable-content', reusableContent: href };
  }
  if (kind === 'openapi') return ref.kind === 'file' || ref.kind === 'url' ? ref : { kind: 'url', url: href };
  return ref;
}

const enc = encodeURIComponent;

/** The address of a reference when nobody says a better one. */
export function defaultHref(ref: ContentRef): string {
  const space =
    'space' in ref && ref.space !== undefined && ref.kind !== 'space' ? `?space=${safe(ref.space)}` : '';
  switch (ref.kind) {
    case 'url':
      return ref.url;
    case 'anchor':
      if (ref.page === undefined && space === '' && ref.anchor !== '') return `#${ref.anchor}`;
      return `${SCHEME}anchor/${safe(ref.anchor)}/${safe(ref.page ?? '')}${space}`;
    case 'file':
      return /^octavo:|^$/.test(ref.file) || space !== ''
        ? `${SCHEME}file/${safe(ref.file)}${space}`
        : ref.file;
    case 'reusable-content':
      return space === '' && !/^octavo:|^$/.test(ref.reusableContent)
        ? ref.reusableContent
        : `${SCHEME}reusable-content/${safe(ref.reusableContent)}${space}`;
    case 'page':
      return `${SCHEME}page/${safe(ref.page)}${space}`;
    case 'user':
      return `${SCHEME}user/${safe(ref.user)}`;
    case 'collection':
      return `${SCHEME}collection/${safe(ref.collection)}`;
    case 'space':
      return `${SCHEME}space/${safe(ref.space)}`;
    case 'openapi':
      return `${SCHEME}openapi/${safe(ref.spec)}`;
    case 'tag':
      return `${SCHEME}tag/${safe(ref.tag)}${space}`;
    default:
      return '';
  }
}

/** A file in a link or an image, where a bare name would be read as a URL. */
export const explicitHref = (ref: ContentRef): string =>
  ref.kind === 'file'
    ? `${SCHEME}file/${safe(ref.file)}`
    : ref.kind === 'reusable-content'
      ? `${SCHEME}reusable-content/${safe(ref.reusableContent)}${ref.space === undefined ? '' : `?space=${safe(ref.space)}`}`
      : defaultHref(ref);

/** Lone surrogates cannot be percent-encoded. */
const LONE = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;
const safe = (text: string): string => enc(text.replace(LONE, '\ufffd'));

function readOwn(rest: string): ContentRef | undefined {
  const [path = '', query] = rest.split('?space=') as [string, string?];
  const [kind, ...parts] = path.split('/');
  const id = unsafe(parts[0] ?? '');
  const space = query === undefined ? {} : { space: unsafe(query) };
  switch (kind) {
    case 'page':
      return { kind, page: id, ...space };
    case 'anchor':
      return { kind, anchor: id, ...(parts[1] ? { page: unsafe(parts[1]) } : {}), ...space };
    case 'file':
      return { kind, file: id, ...space };
    case 'reusable-content':
      return { kind, reusableContent: id, ...space };
    case 'user':
      return { kind, user: id };
    case 'collection':
      return { kind, collection: id };
    case 'space':
      return { kind, space: id };
    case 'openapi':
      return { kind, spec: id };
    case 'tag':
      return { kind, tag: id, ...space };
    default:
      return undefined;
  }
}

function unsafe(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
