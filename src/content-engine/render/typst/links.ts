import type { ContentRef } from '../../markdown/index.ts';
import type { Described } from './book.ts';
import { literal, words } from './literal.ts';
import type { Setting } from './context.ts';

/** Schemes that a reader may follow out of a document. */
const FOLLOWED = /^(?:https?|mailto|tel|ftp|sftp|ssh|git):/i;
const LONGEST = 4000;

/** Content that leads to an address, or just the content where the address leads nowhere. */
export function external(url: string | undefined, content: string, call = 'out'): string {
  const target = url?.trim() ?? '';
  if (target === '' || target.length > LONGEST || !FOLLOWED.test(target)) return content;
  return `#${call}(${literal(target)})[${content}]`;
}

/** Content that leads to what a reference means: a place in the book, or an address outside. */
export function linked(setting: Setting, ref: ContentRef | undefined, content: string): string {
  const label = labelOf(setting, ref);
  if (label !== undefined) return `#jump(${literal(label)})[${content}]`;
  return external(describe(setting, ref).url, content);
}

function labelOf({ labels, page }: Setting, ref: ContentRef | undefined): string | undefined {
  if (ref?.kind === 'page') return labels.ofPage(ref.page);
  if (ref?.kind !== 'anchor') return undefined;
  const target = ref.page ?? page.id;
  return labels.ofAnchor(target, ref.anchor) ?? labels.ofPage(target);
}

/** What a reference is called and where it leads: the book knows its own pages, the caller all else. */
export function describe({ book, page }: Setting, ref: ContentRef | undefined): Described {
  if (typeof ref?.kind !== 'string') return {};
  const said = book.describe?.(ref) ?? {};
  if (ref.kind === 'url') return { title: said.title ?? String(ref.url), url: said.url ?? String(ref.url) };
  const id = ref.kind === 'page' ? ref.page : ref.kind === 'anchor' ? (ref.page ?? page.id) : undefined;
  const own = id === undefined ? undefined : book.pages.find((one) => one.id === id);
  return { title: said.title ?? own?.title, url: said.url };
}

/** What is said of something that nobody can name. */
const UNKNOWN: ReadonlyMap<string, string> = new Map([
  ['file', 'File'],
  ['page', 'Page'],
  ['anchor', 'Page'],
  ['user', 'User'],
  ['collection', 'Collection'],
  ['space', 'Space'],
]);

/** The title of what a reference means, as a link to it. */
export function titled(setting: Setting, ref: ContentRef | undefined): string {
  const { title } = describe(setting, ref);
  const shown = title ?? nameIn(ref) ?? UNKNOWN.get(ref?.kind ?? '') ?? 'Link';
  return linked(setting, ref, words(ref?.kind === 'user' ? `@${shown}` : shown));
}

function nameIn(ref: ContentRef | undefined): string | undefined {
  if (ref?.kind === 'openapi') return String(ref.spec);
  if (ref?.kind === 'tag') return String(ref.tag);
  return undefined;
}
