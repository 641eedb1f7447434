import { normalize } from '../normalize.ts';
import { defaultHref } from '../document/index.ts';
import { findFile, findPage, findReusableContent, isId, type ContentRef, type Tree } from '../tree/index.ts';
import { decode } from './address.ts';

export type EntryKind = 'page' | 'file' | 'reusable-content';

/** An entry of a revision. */
export interface Entry {
  readonly kind: EntryKind;
  readonly id: string;
}

/** What a link leads to. `space`: an entry of another space, or of a space that the link names. */
export type LinkTarget =
  | (Entry & { readonly anchor?: string; readonly space?: string })
  | { readonly kind: 'url'; readonly url: string }
  /** No entry of the space: the path that leads nowhere. */
  | { readonly kind: 'missing'; readonly path: string }
  | { readonly kind: 'space' | 'collection' | 'user' | 'openapi'; readonly id: string };

/** Whether the entry is part of the space. An unlisted file is stored for exports only. */
export function isPresent(tree: Tree, { kind, id }: Entry): boolean {
  if (kind === 'page') return findPage(tree, id) !== undefined;
  if (kind === 'reusable-content') return findReusableContent(tree, id) !== undefined;
  const file = findFile(tree, id);
  return file !== undefined && file.unlisted !== true;
}

/** The entry of the same space that a reference targets. */
export function entryOf(ref: ContentRef): Entry | undefined {
  if ('space' in ref && ref.space !== undefined) return undefined;
  switch (ref.kind) {
    case 'page':
      return { kind: 'page', id: ref.page };
    case 'anchor':
      return ref.page === undefined ? undefined : { kind: 'page', id: ref.page };
    case 'file':
      return { kind: 'file', id: ref.file };
    case 'reusable-content':
      return { kind: 'reusable-content', id: ref.reusableContent };
    default:
      return undefined;
  }
}

/** Slugs of specifications are the only identifiers of targets that are no ids. */
const MAX_SPEC = 100;

/** The target of a reference by id. Undefined: a tag, which is no link. `source`: of an anchor without a page. */
export function targetOfRef(ref: ContentRef, source: Entry): LinkTarget | undefined {
  switch (ref.kind) {
    case 'page':
      return ofEntry(ref, { kind: 'page', id: ref.page });
    case 'file':
      return ofEntry(ref, { kind: 'file', id: ref.file });
    case 'reusable-content':
      return ofEntry(ref, { kind: 'reusable-content', id: ref.reusableContent });
    case 'anchor': {
      const entry: Entry = ref.page === undefined ? source : { kind: 'page', id: ref.page };
      if (ref.page === undefined && ref.space !== undefined) return missing(ref);
      return ofEntry(ref, entry, cleanAnchor(ref.anchor));
    }
    case 'url':
      return { kind: 'url', url: ref.url };
    case 'user':
      return ofId(ref, ref.user);
    case 'collection':
      return ofId(ref, ref.collection);
    case 'space':
      return ofId(ref, ref.space);
    case 'openapi':
      return ref.spec.length > MAX_SPEC ? missing(ref) : { kind: 'openapi', id: ref.spec };
    case 'tag':
      return undefined;
  }
}

function ofEntry(ref: ContentRef & { readonly space?: string }, entry: Entry, anchor?: string): LinkTarget {
  const { space } = ref;
  if (!isId(entry.id) || (space !== undefined && !isId(space))) return missing(ref);
  return { ...entry, ...(anchor === undefined ? {} : { anchor }), ...(space === undefined ? {} : { space }) };
}

const ofId = (ref: ContentRef & { readonly kind: 'user' | 'collection' | 'space' }, id: string): LinkTarget =>
  isId(id) ? { kind: ref.kind, id } : missing(ref);

const missing = (ref: ContentRef): LinkTarget => ({ kind: 'missing', path: defaultHref(ref) });

/** Part of an anchor that highlights text instead of naming a place. */
const TEXT_FRAGMENT = /:~:[^]*$/;

/** An anchor as it is compared. Undefined: it names no place, as `#top` does. */
export function cleanAnchor(spelled: string | undefined): string | undefined {
  const anchor = normalize(decode(spelled ?? '').replace(TEXT_FRAGMENT, ''));
  return anchor === '' || anchor.toLowerCase() === 'top' ? undefined : anchor;
}
