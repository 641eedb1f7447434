import { emojiText } from '../../../content-engine/document/index.ts';
import { refKey } from '../../../content-engine/evaluation/index.ts';
import {
  findFile,
  findFolder,
  findPage,
  isSafeUrl,
  type ContentRef,
} from '../../../content-engine/tree/index.ts';
import type { HtmlFile, Target } from '../../../content-engine/render/html/index.ts';
import type { SiteAddresses } from '../addresses.ts';
import { hrefOfPage } from '../former-address.ts';
import type { OpenSpace } from './open-space.ts';
import type { SiteReader } from '../site-reader.ts';

/** Resolves the references of a page for its visitor: what they may not read has no target. */
export interface Refs {
  targetOf(ref: ContentRef): Target | undefined;
  fileOf(ref: Extract<ContentRef, { kind: 'file' | 'url' }>): HtmlFile | undefined;
  /** Files that were resolved so far, `<space>/<file>`: the page shows them, so that its readers may download them. */
  readonly files: ReadonlySet<string>;
}

/** Where references are: a page of a space. */
export interface RefSource {
  readonly space: OpenSpace;
  readonly pageId: string;
}

type FileRef = Extract<ContentRef, { kind: 'file' }>;
type PageRef = Extract<ContentRef, { kind: 'page' | 'anchor' }>;
type TagRef = Extract<ContentRef, { kind: 'tag' }>;

/** The entry of a space that a reference leads to, as a page shows it. */
export interface ResolvedEntry {
  readonly target?: Target | undefined;
  readonly file?: HtmlFile;
  /** The key of a file: `<space>/<file>`. */
  readonly fileKey?: string;
}

/** Entries of other spaces, by `refKey`. */
export type ResolvedEntries = ReadonlyMap<string, ResolvedEntry>;

/**
 * Whether an href names a page that does not exist: a file of Markdown that is none of the space, or what editors write in
 * place of a deleted page. Other paths may lead to something else at the host.
 */
export const isMissingPage = (href: string): boolean =>
  /^(?![a-z][a-z0-9+.-]*:|\/\/)[^?#]*\.md(?:[?#]|$)/i.test(href) ||
  /^(?:\/broken\/(?:pages|spaces|files)\/|broken-reference\/?(?:#|$))/.test(href);

/** The space that has to be opened to resolve a reference; undefined: none, or that of the page. */
export const otherSpaceOf = (ref: ContentRef, { space }: RefSource): string | undefined =>
  (ref.kind === 'page' || ref.kind === 'anchor' || ref.kind === 'file' || ref.kind === 'tag') &&
  ref.space !== space.siteSpace.spaceId
    ? ref.space
    : undefined;

/** Resolves a reference to an entry of an open space. */
export function resolveIn(
  addresses: SiteAddresses,
  from: RefSource,
  space: OpenSpace,
  ref: ContentRef,
): ResolvedEntry {
  switch (ref.kind) {
    case 'page':
    case 'anchor':
      return { target: targetOfPage(addresses, space, ref) };
    case 'file':
      return resolveFile(addresses, from, space, ref);
    case 'tag':
      return { target: targetOfTag(space, ref) };
    default:
      return {};
  }
}

function targetOfPage(addresses: SiteAddresses, space: OpenSpace, ref: PageRef): Target | undefined {
  const id = ref.page ?? '';
  const page = findPage(space.tree, id);
  const href = hrefOfPage(addresses, space, id);
  if (!page || href === undefined) return undefined;
  const { title, icon, emoji } = page;
  const description = page.type === 'document' ? page.description : undefined;
  const anchor = ref.kind === 'anchor' ? anchorOf(ref) : '';
  return { href: href + anchor, title, description, icon, emoji: emoji && emojiText(emoji) };
}

const anchorOf = ({ anchor }: { readonly anchor: string }): string => `#${encodeURIComponent(anchor)}`;

function resolveFile(
  addresses: SiteAddresses,
  from: RefSource,
  space: OpenSpace,
  ref: FileRef,
): ResolvedEntry {
  const file = findFile(space.tree, ref.file);
  if (!file || file.unlisted) return {};
  const { spaceId } = space.siteSpace;
  const src = addresses.file(from.space, from.pageId, file, spaceId);
  return {
    file: { src, name: file.name, size: file.size, ...file.dimensions },
    fileKey: `${spaceId}/${file.id}`,
    target: { href: src, title: file.name },
  };
}

function targetOfTag({ tree }: OpenSpace, { tag: name }: TagRef): Target {
  const tag = findFolder(tree)?.tags?.find((each) => each.tag === name);
  return { title: tag?.label ?? name, icon: tag?.icon, color: tag?.color };
}

/** `others`: what the page refers to in other spaces. */
export function resolveRefs(
  reader: SiteReader,
  addresses: SiteAddresses,
  from: RefSource,
  others: ResolvedEntries,
): Refs {
  const files = new Set<string>();

  function entryOf(ref: ContentRef): ResolvedEntry {
    const entry =
      otherSpaceOf(ref, from) === undefined
        ? resolveIn(addresses, from, from.space, ref)
        : (others.get(refKey(ref)) ?? {});
    if (entry.fileKey !== undefined) files.add(entry.fileKey);
    return entry;
  }

  function fileOf(ref: Extract<ContentRef, { kind: 'file' | 'url' }>): HtmlFile | undefined {
    if (ref.kind === 'file') return entryOf(ref).file;
    // A path that did not become a reference to a file leads to no image, unlike a link, which may lead to another program.
    return /^(?:https?:|\/\/)/i.test(ref.url) && isSafeUrl(ref.url, ['http', 'https'])
      ? { src: ref.url }
      : undefined;
  }

  function targetOf(ref: ContentRef): Target | undefined {
    switch (ref.kind) {
      case 'url':
        return isSafeUrl(ref.url) && !isMissingPage(ref.url) ? { href: ref.url } : undefined;
      case 'anchor':
        return ref.page === undefined || (ref.page === from.pageId && ref.space === undefined)
          ? { href: anchorOf(ref) }
          : entryOf(ref).target;
      case 'page':
      case 'file':
        return entryOf(ref).target;
      case 'space': {
        const place = reader.placeOf(ref.space, from.space.siteSpace);
        return place && { href: addresses.space(place), title: place.title, emoji: emojiText(place.emoji) };
      }
      case 'tag':
        return entryOf(ref).target ?? targetOfTag(from.space, ref);
      default:
        return undefined;
    }
  }

  return { targetOf, fileOf, files };
}
