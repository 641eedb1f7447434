import type { ContentRef } from '../../document/index.ts';
import type { Described } from './book.ts';
import { literal, words } from './literal.ts';
import type { Context } from './context.ts';

/** Schemes that a reader may follow out of a document. */
const FOLLOWED = /^(?:https?|mailto|tel|ftp|sftp|ssh|git):/i;
const MAX_ADDRESS = 4000;

/** Content as a link to an address, or the content alone where the address cannot be followed. */
export function external(url: string | undefined, content: string, call = 'out'): string {
  const target = url?.trim() ?? '';
  if (target === '' || target.length > MAX_ADDRESS || !FOLLOWED.test(target)) return content;
  return `#${call}(${literal(target)})[${content}]`;
}

/** Content as a link to the target of a reference: a place in the book, or an address outside. */
export function linked(context: Context, ref: ContentRef, content: string): string {
  const label = labelOf(context, ref);
  if (label !== undefined) return `#jump(${literal(label)})[${content}]`;
  return external(describe(context, ref).url, content);
}

function labelOf({ labels, page }: Context, ref: ContentRef): string | undefined {
  if (ref.kind === 'page') return labels.ofPage(ref.page);
  if (ref.kind !== 'anchor') return undefined;
  const target = ref.page ?? page.id;
  return labels.ofAnchor(target, ref.anchor) ?? labels.ofPage(target);
}

/** Title and address of the target of a reference: the book knows its own pages, the caller all else. */
export function describe({ book, page }: Context, ref: ContentRef): Described {
  const described = book.describe?.(ref) ?? {};
  if (ref.kind === 'url') return { title: described.title ?? ref.url, url: described.url ?? ref.url };
  const id = ref.kind === 'page' ? ref.page : ref.kind === 'anchor' ? (ref.page ?? page.id) : undefined;
  const own = id === undefined ? undefined : book.pages.find((one) => one.id === id);
  return { title: described.title ?? own?.title, url: described.url };
}

/** The title of the target of a reference, as a link to it. */
export const titled = (context: Context, ref: ContentRef): string =>
  linked(context, ref, words(shownTitle(ref, describe(context, ref).title ?? nameOf(ref))));

const shownTitle = (ref: ContentRef, title: string): string => (ref.kind === 'user' ? `@${title}` : title);

const NAMES: Readonly<Record<Exclude<ContentRef['kind'], 'openapi' | 'tag'>, string>> = {
  file: 'File',
  page: 'Page',
  anchor: 'Page',
  user: 'User',
  collection: 'Collection',
  space: 'Space',
  url: 'Link',
  'reusable-content': 'Link',
};

/** The text for a target without a title. */
function nameOf(ref: ContentRef): string {
  if (ref.kind === 'openapi') return ref.spec;
  return ref.kind === 'tag' ? ref.tag : NAMES[ref.kind];
}
