import { isId, type ContentRef } from '../tree/index.ts';

/**
 * References and their addresses (hrefs). What an address means depends on the page that contains it. A caller passes
 * `resolve` (address to reference) when reading, and `hrefOf` (reference to address) when writing; without them
 * addresses stay URLs, and references that have no address are written with the scheme `octavo:`.
 */

export type { ContentRef } from '../tree/index.ts';
export type RefOf<Kind extends ContentRef['kind']> = Extract<ContentRef, { kind: Kind }>;
export type ImageRef = RefOf<'file' | 'url'>;

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

/** An address in a body, and its range there. */
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
  if (kind === 'file' || kind === 'drawing') return fileAt(href);
  if (kind === 'include') return includeAt(href);
  if (href.startsWith('#') && href.length > 1 && kind !== 'image')
    return { kind: 'anchor', anchor: href.slice(1) };
  return { kind: 'url', url: href };
}

/** The references that a place takes: images, for example, take files and URLs only. */
export type RefFor<Kind extends HrefKind> = Kind extends 'image' | 'openapi'
  ? ImageRef
  : Kind extends 'file' | 'drawing'
    ? RefOf<'file'>
    : Kind extends 'include'
      ? RefOf<'reusable-content'>
      : ContentRef;

/** The reference if the place takes it, else one that is made of the address. */
export function fitRef<Kind extends HrefKind>(ref: ContentRef, kind: Kind, href: string): RefFor<Kind>;
export function fitRef(ref: ContentRef, kind: HrefKind, href: string): ContentRef {
  switch (kind) {
    case 'image':
    case 'openapi':
      return ref.kind === 'file' || ref.kind === 'url' ? ref : { kind: 'url', url: href };
    case 'file':
    case 'drawing':
      return ref.kind === 'file' ? ref : fileAt(href);
    case 'include':
      return ref.kind === 'reusable-content' ? ref : includeAt(href);
    default:
      return ref;
  }
}

/**
 * Files and includes are always references. Where the target is outside of the space, the address takes the place of the
 * id, in a form that is no id, so that it is written as it was read.
 */
const fileAt = (href: string): RefOf<'file'> => ({ kind: 'file', file: idOrAddress(href, FILES) });
const includeAt = (href: string): RefOf<'reusable-content'> => ({
  kind: 'reusable-content',
  reusableContent: idOrAddress(href, REUSABLE_CONTENTS),
});

const FILES = '/files/';
const REUSABLE_CONTENTS = '/reusable-content/';

function idOrAddress(href: string, family: string): string {
  const id = href.startsWith(family) ? href.slice(family.length) : '';
  if (isId(id)) return id;
  return isId(href) ? `./${href}` : href;
}

/** The inverse; undefined where the address would be read as something else. */
function addressOf(idOrHref: string, family: string): string | undefined {
  const href = isId(idOrHref) ? family + idOrHref : idOrHref;
  return href !== '' && !href.startsWith(SCHEME) && idOrAddress(href, family) === idOrHref ? href : undefined;
}

const enc = encodeURIComponent;

/** The address of a reference without `hrefOf`. */
export function defaultHref(ref: ContentRef): string {
  const space = spaceOf(ref);
  switch (ref.kind) {
    case 'url':
      return ref.url;
    case 'anchor':
      if (ref.page === undefined && space === '' && ref.anchor !== '') return `#${ref.anchor}`;
      return `${SCHEME}anchor/${safe(ref.anchor)}/${safe(ref.page ?? '')}${space}`;
    case 'file': {
      const address = space === '' ? addressOf(ref.file, FILES) : undefined;
      return address ?? `${SCHEME}file/${safe(ref.file)}${space}`;
    }
    case 'reusable-content': {
      const address = space === '' ? addressOf(ref.reusableContent, REUSABLE_CONTENTS) : undefined;
      return address ?? `${SCHEME}reusable-content/${safe(ref.reusableContent)}${space}`;
    }
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
  }
}

/** A file in a link or an image, where a bare name would be read as a URL. */
export const explicitHref = (ref: ContentRef): string => {
  if (ref.kind === 'file') return `${SCHEME}file/${safe(ref.file)}${spaceOf(ref)}`;
  if (ref.kind !== 'reusable-content') return defaultHref(ref);
  return `${SCHEME}reusable-content/${safe(ref.reusableContent)}${spaceOf(ref)}`;
};

const spaceOf = (ref: ContentRef): string =>
  'space' in ref && ref.space !== undefined && ref.kind !== 'space' ? `?space=${safe(ref.space)}` : '';

/** Lone surrogates cannot be percent-encoded. */
const LONE = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;
const safe = (text: string): string => enc(text.replace(LONE, '\ufffd'));

function readOwn(address: string): ContentRef | undefined {
  const [, rest = address, anchor] = /^(page\/[^#]*)#(.*)$/s.exec(address) ?? [];
  const [path = '', query] = rest.split('?space=');
  const [kind, ...parts] = path.split('/');
  const id = unsafe(parts[0] ?? '');
  if (id === '') return undefined;
  const space = query ? { space: unsafe(query) } : {};
  switch (kind) {
    case 'page':
      return anchor
        ? { kind: 'anchor', anchor: unsafe(anchor), page: id, ...space }
        : { kind, page: id, ...space };
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
