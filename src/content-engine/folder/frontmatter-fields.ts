import type { Frontmatter, FrontmatterChanges } from '../markdown/index.ts';
import { isExternal } from '../links/index.ts';
import { isSame } from '../map/index.ts';
import {
  fullLayout,
  LAYOUT_MEMBERS,
  LAYOUT_PARTS,
  memberOf,
  PAGE_FIELD_NAMES,
  PAGE_FIELDS,
  readPageFields,
  type ContentRef,
  type CoverRef,
  type DocumentPage,
  type PageCover,
  type PageFields,
  type PageFieldShape,
} from '../tree/index.ts';
import { asMap, asText } from './yaml-file.ts';

/** The title is also a heading, and the cover refers to a file: they are read and written apart. */
type Shape = Exclude<PageFieldShape, 'title' | 'cover'>;

/** The fields that frontmatter alone can set. */
const FIELDS = PAGE_FIELD_NAMES.flatMap((field) => {
  const { shape, frontmatter } = PAGE_FIELDS[field];
  if (frontmatter === undefined || shape === 'title' || shape === 'cover') return [];
  return [{ field, member: memberOf(field), shape, name: frontmatter }];
});

interface InFrontmatter {
  /** The value that a change would send for it. */
  readonly read: (value: unknown) => unknown;
  /** The value of the page as it is written in place of `before`. */
  readonly write: (value: unknown, before: unknown) => unknown;
}

const AS_IS: InFrontmatter = { read: (value) => value, write: (value) => value };

const BY_SHAPE: Readonly<Record<Shape, InFrontmatter>> = {
  label: AS_IS,
  slug: AS_IS,
  text: AS_IS,
  expression: { read: String, write: (value) => value },
  flag: AS_IS,
  variables: AS_IS,
  tags: { read: (tags) => (tags as unknown[]).flatMap((tag) => tagOf(tag) ?? []), write: writeTags },
  layout: { read: (layout) => layoutFrom(asMap(layout)), write: writeLayout },
};

/** The members of a page that its frontmatter sets. Invalid values are reported, and preserved in the text. */
export const pageMembers = (fields: Frontmatter, warn: (message: string) => void): Partial<DocumentPage> =>
  Object.fromEntries(Object.entries(readMembers(fields, warn)).filter(([, value]) => value !== undefined));

/** The fields that frontmatter sets, including those set to their default. */
export const statedFields = (fields: Frontmatter, warn: (message: string) => void): PageFields =>
  Object.fromEntries(Object.entries(readMembers(fields, warn)).map(([name, value]) => [name, value ?? null]));

function readMembers(fields: Frontmatter, warn: (message: string) => void): Record<string, unknown> {
  const members: Record<string, unknown> = {};
  for (const { field, shape, name } of FIELDS) {
    const value = valueIn(fields, name);
    if (value === undefined) continue;
    const read = readPageFields('document', { [field]: BY_SHAPE[shape].read(value) }, undefined);
    if ('values' in read) Object.assign(members, read.values);
    else warn(read.message);
  }
  return members;
}

const valueIn = (fields: Frontmatter, name: string): unknown =>
  (fields as Readonly<Record<string, unknown>>)[name];

const tagOf = (tag: unknown): string | undefined => asText(tag) ?? asText(asMap(tag)['tag']);

/** The cover last: its size and mask follow. */
const FLAGS = [...LAYOUT_PARTS.filter((name) => name !== 'cover'), 'cover'] as const;
const SIZES: ReadonlySet<unknown> = new Set(LAYOUT_MEMBERS.coverSize);

function layoutFrom(layout: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const read: Record<string, unknown> = {};
  const { width } = layout;
  if (width === 'default' || width === 'wide') read['width'] = width;
  for (const name of FLAGS) {
    const { visible } = asMap(layout[name]);
    if (typeof visible === 'boolean') read[name] = visible;
  }
  const { size, mask } = asMap(layout['cover']);
  if (SIZES.has(size)) read['coverSize'] = size;
  if (typeof mask === 'string') read['coverMask'] = mask;
  return read;
}

/** The layout of the frontmatter, updated to that of the page. */
function writeLayout(layout: unknown, written: unknown): Record<string, unknown> {
  const before = asMap(written);
  const after: Record<string, unknown> = { ...before };
  const [current, wanted] = [fullLayout(layoutFrom(before)), fullLayout(layout as DocumentPage['layout'])];
  const set = (part: string, name: string, value: unknown) => {
    after[part] = { ...asMap(after[part]), [name]: value };
  };
  if (current.width !== wanted.width) after['width'] = wanted.width;
  for (const name of FLAGS) if (current[name] !== wanted[name]) set(name, 'visible', wanted[name]);
  if (current.coverSize !== wanted.coverSize) set('cover', 'size', wanted.coverSize);
  if (current.coverMask !== wanted.coverMask) set('cover', 'mask', wanted.coverMask);
  return after;
}

/** Tags keep the form in which they were written. */
function writeTags(tags: unknown, written: unknown): readonly unknown[] | undefined {
  const known = new Map(((written ?? []) as readonly unknown[]).map((tag) => [tagOf(tag), tag]));
  return (tags as DocumentPage['tags'])?.map((tag) => known.get(tag) ?? tag);
}

/** The changes that make the frontmatter match the page, except for the title and the cover. */
export function fieldChanges(page: DocumentPage, fields: Frontmatter): FrontmatterChanges {
  const stated = readMembers(fields, () => {});
  const members = new Map<string, unknown>(Object.entries(page));
  const changes: Record<string, unknown> = {};
  for (const { member, shape, name } of FIELDS) {
    const wanted = members.get(member);
    if (isSame(stated[member] ?? null, wanted ?? null)) continue;
    changes[name] = BY_SHAPE[shape].write(wanted, valueIn(fields, name));
  }
  return changes;
}

type Find = (href: string) => ContentRef | undefined;

/** The cover in the frontmatter. A value that is neither a file of the space nor a URL is preserved in the text. */
export function coverOf(
  fields: Frontmatter,
  find: Find,
  warn: (message: string) => void = () => {},
): PageCover | undefined {
  const { light, dark } = imagesOf(fields);
  const ref = coverRef(light, find, warn);
  const refDark = coverRef(dark, find, warn);
  if (ref === undefined && refDark === undefined) return undefined;
  return { ...(ref && { ref }), ...(refDark && { refDark }), yPos: fields.coverY ?? 0 };
}

const imagesOf = ({ cover }: Frontmatter): Readonly<Record<string, unknown>> =>
  typeof cover === 'string' ? { light: cover } : asMap(cover);

/** The limit of the API: the address is part of the record. */
const MAX_COVER_URL = 2048;

function coverRef(href: unknown, find: Find, warn: (message: string) => void): CoverRef | undefined {
  if (typeof href !== 'string' || href === '') return undefined;
  if (href.length > MAX_COVER_URL) {
    warn(`cover: an address can have at most ${MAX_COVER_URL} characters; the line is stored unchanged.`);
    return undefined;
  }
  const ref = find(href);
  if (ref?.kind === 'file') return ref;
  if (isExternal(href)) return { kind: 'url', url: href };
  warn(`cover: there is no file ${href}; the line is stored unchanged.`);
  return undefined;
}

export function coverChanges(
  page: DocumentPage,
  fields: Frontmatter,
  find: Find,
  spell: (ref: CoverRef) => string,
): FrontmatterChanges {
  const stated = coverOf(fields, find);
  if (isSame(stated ?? null, page.cover ?? null)) return {};
  if (page.cover === undefined) return { cover: undefined, coverY: undefined };
  const { ref, refDark, yPos } = page.cover;
  const position = yPos === (fields.coverY ?? 0) ? {} : { coverY: yPos };
  const isShown = isSame([stated?.ref ?? null, stated?.refDark ?? null], [ref ?? null, refDark ?? null]);
  if (isShown) return position;
  // An unchanged or unreadable value keeps its text.
  const before = imagesOf(fields);
  const textOf = (wanted: CoverRef | undefined, current: CoverRef | undefined, text: unknown) =>
    isSame(wanted ?? null, current ?? null) ? text : wanted && spell(wanted);
  const light = textOf(ref, stated?.ref, before['light']);
  const dark = textOf(refDark, stated?.refDark, before['dark']);
  const cover = dark === undefined ? light : { ...(light === undefined ? {} : { light }), dark };
  return { cover: cover as string | Readonly<Record<string, unknown>>, ...position };
}
