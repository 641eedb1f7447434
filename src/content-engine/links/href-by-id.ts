import { isId, type ContentRef } from '../tree/index.ts';
import { parseHref } from './address.ts';

/** The first segment of an href by id, by the kind of its reference or record. */
const SEGMENTS: Readonly<Record<string, string>> = {
  page: 'pages',
  anchor: 'pages',
  file: 'files',
  'reusable-content': 'reusable-content',
};

/** The href of an entry by its id. Undefined: entries of this kind have none. */
export const entryHref = (kind: string, id: string): string | undefined =>
  Object.hasOwn(SEGMENTS, kind) ? `/${SEGMENTS[kind]}/${id}` : undefined;

/** The id of the entry that a reference targets. */
export function targetOf(ref: ContentRef): string | undefined {
  switch (ref.kind) {
    case 'page':
    case 'anchor':
      return ref.page;
    case 'file':
      return ref.file;
    case 'reusable-content':
      return ref.reusableContent;
    default:
      return undefined;
  }
}

/**
 * The href of a reference in a document that a client sent: by id, so that it never has to change. Undefined: the
 * reference has no id, and is written as its URL.
 */
export function hrefOf(ref: ContentRef): string | undefined {
  const id = targetOf(ref);
  if (id === undefined || !isId(id) || ('space' in ref && ref.space !== undefined)) return undefined;
  const href = entryHref(ref.kind, id);
  return ref.kind === 'anchor' ? `${href}#${ref.anchor}` : href;
}

/** The href by id, which has the same target on every page. Query and anchor are kept. */
export function hrefById(href: string, ref: ContentRef): string {
  const id = targetOf(ref);
  const byId = id === undefined ? undefined : entryHref(ref.kind, id);
  return byId === undefined ? href : byId + (parseHref(href)?.suffix ?? '');
}
