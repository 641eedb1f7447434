import type { JSONDocument } from '../document/index.ts';
import type { ContentRef } from '../tree/index.ts';

type ReusableRef = Extract<ContentRef, { kind: 'reusable-content' }>;
type RefInSpace = Extract<
  ContentRef,
  { readonly page?: string } | { readonly file: string } | { readonly tag: string }
>;

/** The references of a document, each once. */
export interface References {
  readonly refs: readonly ContentRef[];
  /** Names of icons. */
  readonly icons: readonly string[];
}

/** References that are equal have the same key, if the same code made them. */
export const refKey = (ref: ContentRef): string => JSON.stringify(ref);

/** The key of a reusable content. `spaceId` is the space of the document that includes it. */
export const reusableKey = (spaceId: string, ref: ReusableRef): string =>
  `${ref.space ?? spaceId}/${ref.reusableContent}`;

/** Every reference in a document, wherever it is: in links, images, tables, cards. */
export function referencesIn(document: JSONDocument): References {
  const refs = new Map<string, ContentRef>();
  const icons = new Set<string>();
  for (const rest: unknown[] = [document.nodes]; rest.length > 0;) {
    const value = rest.pop();
    if (typeof value !== 'object' || value === null) continue;
    if (isRef(value)) refs.set(refKey(value), value);
    if ('icon' in value && typeof value.icon === 'string') icons.add(value.icon);
    // In the order of the document.
    for (const member of Object.values(value).toReversed()) if (typeof member === 'object') rest.push(member);
  }
  return { refs: [...refs.values()], icons: [...icons] };
}

const KINDS = new Set(['file', 'url', 'page', 'anchor', 'space', 'reusable-content', 'openapi', 'tag']);

const isRef = (value: object): value is ContentRef =>
  'kind' in value && typeof value.kind === 'string' && KINDS.has(value.kind);

/** References of included content are relative to its own space. Copied: link tables are shared with the cached tree. */
export function inSpace<T>(value: T, space: string): T {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((member: unknown) => inSpace(member, space)) as T;
  const members = Object.entries(value).map(([name, member]) => [name, inSpace<unknown>(member, space)]);
  const copy = Object.fromEntries(members) as T & object;
  return isRef(value) && isOfSpace(value) ? { ...copy, space: value.space ?? space } : copy;
}

const isOfSpace = (ref: ContentRef): ref is RefInSpace | ReusableRef =>
  ref.kind === 'page' ||
  ref.kind === 'file' ||
  ref.kind === 'tag' ||
  ref.kind === 'reusable-content' ||
  (ref.kind === 'anchor' && ref.page !== undefined);
