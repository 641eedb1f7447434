import { emojiText } from '../../content-engine/document/index.ts';
import {
  findFile,
  findFolder,
  findPage,
  isSafeUrl,
  type ContentRef,
} from '../../content-engine/tree/index.ts';
import type { HtmlFile, Target } from '../../content-engine/render/html/index.ts';
import type { SiteAddresses } from './addresses.ts';
import { hrefOfPage } from './former-address.ts';
import type { OpenSpace } from './open-space.ts';
import type { SiteReader } from './site-reader.ts';

/** Resolves the references of a page for its visitor: what they may not read has no target. */
export interface Refs {
  targetOf(ref: ContentRef): Target | undefined;
  fileOf(ref: Extract<ContentRef, { kind: 'file' | 'url' }>): HtmlFile | undefined;
  /** Files that were resolved so far, `<space>/<file>`: the page shows them, so that its readers may download them. */
  readonly files: ReadonlySet<string>;
}

interface From {
  readonly space: OpenSpace;
  readonly pageId: string;
  /** Spaces that may be referred to, by id. */
  readonly spaces: ReadonlyMap<string, OpenSpace>;
}

/**
 * Whether an href names a page that does not exist: a file of Markdown that is none of the space, or what editors write in
 * place of a deleted page. Other paths may lead to something else at the host.
 */
export const isMissingPage = (href: string): boolean =>
  /^(?![a-z][a-z0-9+.-]*:|\/\/)[^?#]*\.md(?:[?#]|$)/i.test(href) ||
  /^(?:\/broken\/(?:pages|spaces|files)\/|broken-reference\/?(?:#|$))/.test(href);

export function resolveRefs(reader: SiteReader, addresses: SiteAddresses, from: From): Refs {
  const files = new Set<string>();
  const spaceOf = (id: string | undefined) => (id === undefined ? from.space : from.spaces.get(id));

  function targetOfPage(spaceId: string | undefined, id: string): Target | undefined {
    const space = spaceOf(spaceId);
    const page = space && findPage(space.tree, id);
    const href = space && hrefOfPage(addresses, space, id);
    if (!page || href === undefined) return undefined;
    const { title, icon, emoji } = page;
    const description = page.type === 'document' ? page.description : undefined;
    return { href, title, description, icon, emoji: emoji && emojiText(emoji) };
  }

  function fileOf(ref: Extract<ContentRef, { kind: 'file' | 'url' }>): HtmlFile | undefined {
    // A relative path that did not become a reference to a file leads nowhere on a site.
    if (ref.kind === 'url')
      return /^(?:https?:|\/)/i.test(ref.url) && isSafeUrl(ref.url, ['http', 'https'])
        ? { src: ref.url }
        : undefined;
    const space = spaceOf(ref.space);
    const file = space && findFile(space.tree, ref.file);
    if (!file || file.unlisted) return undefined;
    const { spaceId } = space.siteSpace;
    files.add(`${spaceId}/${file.id}`);
    const src = addresses.file(from.space, from.pageId, file, spaceId);
    return { src, name: file.name, size: file.size, ...file.dimensions };
  }

  function targetOf(ref: ContentRef): Target | undefined {
    switch (ref.kind) {
      case 'url':
        return isSafeUrl(ref.url) && !isMissingPage(ref.url) ? { href: ref.url } : undefined;
      case 'page':
        return targetOfPage(ref.space, ref.page);
      case 'anchor': {
        const anchor = `#${encodeURIComponent(ref.anchor)}`;
        if (ref.page === undefined || (ref.page === from.pageId && ref.space === undefined))
          return { href: anchor };
        const target = targetOfPage(ref.space, ref.page);
        return target && { ...target, href: target.href + anchor };
      }
      case 'file': {
        const file = fileOf(ref);
        return file && { href: file.src, title: file.name };
      }
      case 'space': {
        const place = reader.placeOf(ref.space, from.space.siteSpace);
        return place && { href: addresses.space(place), title: place.title, emoji: emojiText(place.emoji) };
      }
      case 'tag': {
        const tags = findFolder(spaceOf(ref.space)?.tree ?? from.space.tree)?.tags;
        const tag = tags?.find((each) => each.tag === ref.tag);
        return { title: tag?.label ?? ref.tag, icon: tag?.icon, color: tag?.color };
      }
      default:
        return undefined;
    }
  }

  return { targetOf, fileOf, files };
}
