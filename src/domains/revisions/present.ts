import { OPENAPI } from '../../content-engine/computed/index.ts';
import { targetOfLinkPage } from '../../content-engine/links/index.ts';
import {
  fullLayout,
  isSafeUrl,
  pathOf,
  type ComputedSource,
  type ContentRef,
  type FileRecord,
  type PageFieldOf,
  type PageRecord,
  type PageType,
  type ReusableContentRecord,
  type TagDefinition,
  type Tree,
} from '../../content-engine/tree/index.ts';
import type { Addresses } from '../../platform/api/context.ts';
import { equalsSecret, type Keys } from '../../platform/keys.ts';
import { presentUser } from '../users/index.ts';
import type { BlobOf, ContentRow } from './policy.ts';
import { TAG_COLORS } from './schema.ts';
import type { HistoryRow } from './store.ts';

/** What presenting a revision needs. */
export interface Shown {
  readonly row: RevisionHead;
  readonly tree: Tree;
  readonly addresses: Addresses;
  readonly keys: Keys;
  /** Whether computed pages are among the pages. */
  readonly computed: boolean;
  /** Undefined: no entry has a file in a repository. */
  readonly blobOf?: BlobOf | undefined;
}

const isoOf = (moment: number | undefined) =>
  moment === undefined ? undefined : new Date(moment).toISOString();

export type RevisionHead = Pick<
  ContentRow,
  'space_id' | 'revision_id' | 'parents' | 'type' | 'git' | 'merged_from' | 'revision_created_at'
>;

export const presentRevisionHead = (row: RevisionHead, addresses: Addresses) => ({
  object: 'revision' as const,
  id: row.revision_id,
  parents: row.parents,
  type: row.type,
  createdAt: row.revision_created_at.toISOString(),
  // The public client knows `createdByService` by another name.
  git: row.git ? { ...row.git, createdByGitBook: row.git.createdByService } : undefined,
  mergedFrom: presentMergedFrom(row, addresses),
  urls: { app: addresses.of(`/app/spaces/${row.space_id}/revisions/${row.revision_id}`) },
});

export const presentHistory = (row: HistoryRow, addresses: Addresses) => ({
  ...presentRevisionHead(row, addresses),
  author: row.author_id,
});

/** The change request that was merged. It is stored without its addresses, which the configuration may change. */
export const presentMergedFrom = (
  { merged_from: request, space_id: spaceId }: Pick<ContentRow, 'merged_from' | 'space_id'>,
  addresses: Addresses,
) =>
  request
    ? {
        ...request,
        createdBy: presentUser(request.createdBy, addresses),
        urls: {
          app: addresses.of(`/app/spaces/${spaceId}/change-requests/${request.id}`),
          location: addresses.of(`/v1/spaces/${spaceId}/change-requests/${request.id}`),
        },
      }
    : undefined;

/** Each field of pages of a type is presented: the compiler names one that is missing. */
type Fields<T extends PageType> = Readonly<Record<PageFieldOf<T>, unknown> & Record<string, unknown>>;

/** A page of a tree, without the pages below it and without its body. */
export const presentPage = (shown: Shown, page: PageRecord) =>
  presentPageAt(shown, page, pathOf(shown.tree, page.id) ?? '');

/**
 * Documents, nearly all pages, are one literal: spreading objects into one of so many members is far slower in V8.
 * `pages` is the last member, where the pages below it are inserted (`read/write-tree.ts`).
 */
export function presentPageAt(shown: Shown, page: PageRecord, path: string) {
  switch (page.type) {
    case 'document':
      return {
        id: page.id,
        title: page.title,
        emoji: page.emoji,
        icon: page.icon,
        hidden: page.hidden,
        condition: page.condition,
        createdAt: isoOf(page.createdAt),
        updatedAt: isoOf(page.updatedAt),
        type: page.type,
        kind: 'sheet',
        linkTitle: page.label,
        description: page.description,
        cover: page.cover,
        variables: page.variables,
        tags: (page.tags ?? []).map((tag) => ({ tag: { kind: 'tag' as const, tag } })),
        layout: fullLayout(page.layout),
        documentId: documentIdOf(shown.keys, shown.row.space_id, page.document),
        urls: { app: shown.addresses.of(`/app/spaces/${shown.row.space_id}/pages/${page.id}`) },
        slug: page.slug,
        path,
        noIndex: page.noIndex,
        noRobotsIndex: page.noRobotsIndex,
        git: shown.blobOf?.(page),
        pages: [],
      } satisfies Fields<'document'>;
    case 'group':
      return {
        ...baseOf(page),
        type: page.type,
        kind: 'group',
        slug: page.slug,
        path,
        noIndex: page.noIndex,
        noRobotsIndex: page.noRobotsIndex,
        pages: [],
      } satisfies Fields<'group'>;
    case 'link':
      return {
        ...baseOf(page),
        type: page.type,
        kind: 'link',
        ...linkFields(targetOfLinkPage(shown.tree, page)),
      };
    case 'computed':
      return { ...baseOf(page), type: page.type, computed: presentSource(page.computed) };
  }
}

/** The public schema requires `models`, which files may leave out. */
const presentSource = (source: ComputedSource): ComputedSource =>
  source.type === OPENAPI
    ? { ...source, props: { ...source.props, models: source.props?.['models'] === true } }
    : source;

const baseOf = (page: PageRecord) =>
  ({
    id: page.id,
    title: page.title,
    emoji: page.emoji,
    icon: page.icon,
    hidden: page.hidden,
    condition: page.condition,
    createdAt: isoOf(page.createdAt),
    updatedAt: isoOf(page.updatedAt),
  }) satisfies Fields<'link' | 'computed'>;

const linkFields = (target: ContentRef) => ({ target, href: hrefOf(target) });

/** A link from an imported folder may have any scheme. Only safe ones become an href. */
const hrefOf = (target: ContentRef) =>
  target.kind === 'url' && isSafeUrl(target.url) ? target.url : undefined;

/**
 * Documents are addressed by their hash, which is the same in every space. The id signs the space as well, so that it
 * opens the document in that space only.
 */
export const documentIdOf = (keys: Keys, spaceId: string, hash: string): string =>
  hash + keys.sign('document', `${spaceId} ${hash}`).slice(0, 11);

/** The hash in a document id of this space; undefined where the id belongs to another one. */
export function hashOfDocumentId(keys: Keys, spaceId: string, id: string): string | undefined {
  const hash = id.slice(0, 43);
  return equalsSecret(id, documentIdOf(keys, spaceId, hash)) ? hash : undefined;
}

export const presentFile = ({ row, addresses, keys, blobOf }: Shown, file: FileRecord) => ({
  id: file.id,
  name: file.name,
  contentType: file.contentType,
  downloadURL: addresses.of(downloadPath(keys, row.space_id, file)),
  size: file.size,
  dimensions: file.dimensions,
  git: blobOf?.(file),
});

/**
 * The URL from which a browser downloads the file without a token. It is signed, and as stable as the file,
 * so that it can be cached.
 */
export function downloadPath(
  keys: Keys,
  spaceId: string,
  { hash, name, contentType }: Pick<FileRecord, 'hash' | 'name' | 'contentType'>,
): string {
  const type = Buffer.from(contentType).toString('base64url');
  const signature = signDownload(keys, spaceId, hash, type, name);
  return `/~files/${spaceId}/${hash}/${type}/${signature}/${encodeURIComponent(name)}`;
}

/** Signs the name as well: a holder of the address cannot change the name under which the bytes are saved. */
export const signDownload = (keys: Keys, spaceId: string, hash: string, type: string, name: string): string =>
  keys.sign('download', `${spaceId} ${hash} ${type} ${name}`).slice(0, 32);

/** A tag that a space defines. A color that is none of the API's is `default`. */
export const presentTag = ({ tag, label, color, icon }: TagDefinition) => ({
  slug: tag,
  label: label ?? tag,
  color: TAG_COLORS.find((known) => known === color) ?? 'default',
  icon,
});

export const presentReusableContent = ({ row, keys, blobOf }: Shown, content: ReusableContentRecord) => ({
  id: content.id,
  title: content.title,
  document: documentIdOf(keys, row.space_id, content.document),
  git: blobOf?.(content),
});
