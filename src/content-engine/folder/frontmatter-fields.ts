import type { Frontmatter, FrontmatterChanges } from '../markdown/index.ts';
import { isExternal } from '../links/index.ts';
import { isSame } from '../map/index.ts';
import {
  fullLayout,
  readPageFields,
  type ContentRef,
  type CoverRef,
  type DocumentPage,
  type PageCover,
  type PageFields,
} from '../tree/index.ts';
import { asMap, asText } from './yaml-file.ts';

/** The members of a page record that frontmatter can set. */
const MEMBERS = [
  'description',
  'icon',
  'emoji',
  'hidden',
  'noIndex',
  'noRobotsIndex',
  'condition',
  'variables',
  'tags',
  'layout',
] as const;

type Members = Partial<Pick<DocumentPage, (typeof MEMBERS)[number]>>;

/** The members of a page that its frontmatter sets. Invalid values are reported, and preserved in the text. */
export const pageMembers = (fields: Frontmatter, warn: (message: string) => void): Members =>
  Object.fromEntries(Object.entries(readMembers(fields, warn)).filter(([, value]) => value !== undefined));

/** The fields that frontmatter sets, including those set to their default. */
export const statedFields = (fields: Frontmatter, warn: (message: string) => void): PageFields =>
  Object.fromEntries(Object.entries(readMembers(fields, warn)).map(([name, value]) => [name, value ?? null]));

function readMembers(fields: Frontmatter, warn: (message: string) => void): Record<string, unknown> {
  const { description, icon, emoji, hidden, noIndex, noRobotsIndex, vars, tags, layout } = fields;
  const stated = {
    description,
    icon,
    emoji,
    hidden,
    noIndex,
    noRobotsIndex,
    condition: fields.if === undefined ? undefined : String(fields.if),
    variables: vars,
    tags: tags?.flatMap((tag) => tagOf(tag) ?? []),
    layout: layout === undefined ? undefined : layoutFrom(layout),
  };
  const members: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(stated)) {
    if (value === undefined) continue;
    const read = readPageFields('document', { [name]: value }, undefined);
    if ('values' in read) Object.assign(members, read.values);
    else warn(read.message);
  }
  return members;
}

const tagOf = (tag: unknown): string | undefined => asText(tag) ?? asText(asMap(tag)['tag']);

const FLAGS = [
  'title',
  'description',
  'tableOfContents',
  'outline',
  'pagination',
  'metadata',
  'tags',
  'actions',
  'anchors',
  'cover',
] as const;
const SIZES = new Set(['full', 'hero', 'background']);

function layoutFrom(layout: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const read: Record<string, unknown> = {};
  const { width } = layout;
  if (width === 'default' || width === 'wide') read['width'] = width;
  for (const name of FLAGS) {
    const { visible } = asMap(layout[name]);
    if (typeof visible === 'boolean') read[name] = visible;
  }
  const { size, mask } = asMap(layout['cover']);
  if (typeof size === 'string' && SIZES.has(size)) read['coverSize'] = size;
  if (typeof mask === 'string') read['coverMask'] = mask;
  return read;
}

/** The layout of the frontmatter, updated to that of the page. */
function layoutWith(before: Readonly<Record<string, unknown>>, page: DocumentPage): Record<string, unknown> {
  const after: Record<string, unknown> = { ...before };
  const [current, wanted] = [fullLayout(layoutFrom(before)), fullLayout(page.layout)];
  const set = (part: string, name: string, value: unknown) => {
    after[part] = { ...asMap(after[part]), [name]: value };
  };
  if (current.width !== wanted.width) after['width'] = wanted.width;
  for (const name of FLAGS) if (current[name] !== wanted[name]) set(name, 'visible', wanted[name]);
  if (current.coverSize !== wanted.coverSize) set('cover', 'size', wanted.coverSize);
  if (current.coverMask !== wanted.coverMask) set('cover', 'mask', wanted.coverMask);
  return after;
}

/** The changes that make the frontmatter match the page, except for the cover. */
export function fieldChanges(page: DocumentPage, fields: Frontmatter): FrontmatterChanges {
  const stated = pageMembers(fields, () => {});
  const changed = new Set(MEMBERS.filter((name) => !isSame(stated[name] ?? null, page[name] ?? null)));
  const changes: Record<string, unknown> = {};
  for (const name of MEMBERS.slice(0, 6)) if (changed.has(name)) changes[name] = page[name];
  if (changed.has('condition')) changes['if'] = page.condition;
  if (changed.has('variables')) changes['vars'] = page.variables;
  if (changed.has('tags')) {
    const known = new Map((fields.tags ?? []).map((tag) => [tagOf(tag), tag]));
    changes['tags'] = page.tags?.map((tag) => known.get(tag) ?? tag);
  }
  if (changed.has('layout')) changes['layout'] = layoutWith(asMap(fields.layout), page);
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
