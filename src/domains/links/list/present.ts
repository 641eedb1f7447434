import { isPresent, type Entry, type EntryKind } from '../../../content-engine/links/index.ts';
import { findFile, findPage, findReusableContent, type Tree } from '../../../content-engine/tree/index.ts';
import type { Context } from '../../../platform/api/context.ts';
import { presentChangeRequest, type ChangeRequestRow } from '../../change-requests/index.ts';
import { presentOrganization, type OrganizationRow } from '../../organizations/index.ts';
import {
  presentFile,
  presentPage,
  presentReusableContent,
  presentRevisionHead,
  type Shown,
} from '../../revisions/index.ts';
import { presentSpace, type SpaceRow } from '../../spaces/index.ts';
import type { LinkItem } from './list-store.ts';

/**
 * JSON text. An answer repeats the same objects many times: each is encoded once. Texts are concatenated, which copies
 * nothing, and the whole answer is joined once: it may have several hundred kilobytes.
 */
export type Json = string;

export type LocationOf = (entry: Entry, anchor?: string | null) => Json | undefined;

/** Presents the entries of one version of a space. */
export function locationsIn(
  ctx: Context,
  organization: Json,
  space: SpaceRow,
  shown: Shown,
  versionContext: Json = revisionContext(ctx, shown),
): LocationOf {
  const spaceText = JSON.stringify(presentSpace(space, ctx.caller.id, ctx.addresses));
  const entries = new Map<string, Json | undefined>();
  const surroundings = `"organization":${organization},"space":${spaceText},"versionContext":${versionContext},`;
  const starts = new Map<EntryKind, Json>();
  // Joined, as it is copied into every location.
  const startOf = (kind: EntryKind): Json => [`{"kind":"${kind}",`, surroundings].join('');
  return ({ kind, id }, anchor) => {
    const key = `${kind} ${id}`;
    let entry = entries.get(key);
    if (entry === undefined) entries.set(key, (entry = entryText(shown, kind, id)));
    if (entry === undefined) return undefined;
    let start = starts.get(kind);
    if (start === undefined) starts.set(kind, (start = startOf(kind)));
    const place = anchor ? `,"internalLocation":{"type":"anchor","anchor":${JSON.stringify(anchor)}}` : '';
    return `${start}${entry}${place}}`;
  };
}

/** Presents entries in a change request. Entries that only its space has are presented in the revision of the space. */
export function locationsInRequest(
  ctx: Context,
  organization: Json,
  space: SpaceRow,
  shown: Shown,
  request: ChangeRequestRow,
  proposed: Tree,
): LocationOf {
  const changeRequest = presentChangeRequest(request, ctx.addresses);
  const context = JSON.stringify({ type: 'changeRequest', changeRequest });
  const inRequest = locationsIn(ctx, organization, space, shown, context);
  const inSpace = locationsIn(ctx, organization, space, shown);
  return (entry, anchor) => (isPresent(proposed, entry) ? inRequest : inSpace)(entry, anchor);
}

/** Links are on pages and in reusable contents. */
export const kindOfSource = (tree: Tree, id: string): EntryKind =>
  findReusableContent(tree, id) ? 'reusable-content' : 'page';

/** The revision, without its content. */
const revisionContext = (ctx: Context, { row }: Shown): Json =>
  JSON.stringify({
    type: 'revision',
    revision: {
      ...presentRevisionHead(row, ctx.addresses),
      pages: [],
      files: [],
      reusableContents: [],
      variables: {},
    },
  });

/** The member of a location that has the entry. */
function entryText(shown: Shown, kind: EntryKind, id: string): Json | undefined {
  const { tree } = shown;
  switch (kind) {
    case 'page': {
      const page = findPage(tree, id);
      return page && `"page":${JSON.stringify(presentPage(shown, page))}`;
    }
    case 'file': {
      const file = findFile(tree, id);
      return file && !file.unlisted ? `"file":${JSON.stringify(presentFile(shown, file))}` : undefined;
    }
    case 'reusable-content': {
      const content = findReusableContent(tree, id);
      return content && `"reusableContent":${JSON.stringify(presentReusableContent(shown, content))}`;
    }
  }
}

export const organizationText = (ctx: Context, row: OrganizationRow): Json =>
  JSON.stringify(presentOrganization(row, ctx.caller.id, ctx.addresses));

export function presentLink(item: LinkItem, target: Json | undefined, locations: readonly Json[]): Json {
  const { relation, sources, checked_at: at, problem, in_app: inApp, is_broken: isBroken } = item;
  const status = inApp ? 'in-app' : isBroken ? 'broken' : 'ok';
  const reference = target === undefined ? '' : `,"targetReference":${target}`;
  let text = `{"status":"${status}","relation":"${relation}"${reference},"locationReferences":[`;
  for (const [index, location] of locations.entries()) text += index === 0 ? location : `,${location}`;
  text += `],"locationCount":${sources}`;
  const href = target === undefined ? hrefOf(item) : undefined;
  if (href !== undefined) text += `,"href":${JSON.stringify(href)}`;
  if (at !== null) {
    const check = { at: new Date(at).toISOString(), ...(problem === null ? {} : { problem }) };
    text += `,"check":${JSON.stringify(check)}`;
  }
  return `${text}}`;
}

/** Targets outside of the space show nothing: what the caller may not view looks like what does not exist. */
function hrefOf({ kind, url, target_space_id: space, locations }: LinkItem): string | undefined {
  if (kind === 'missing') return url ?? undefined;
  const isOwnEntry = space === null && (kind === 'page' || kind === 'file' || kind === 'reusable-content');
  return isOwnEntry ? (locations[0]?.href ?? undefined) : undefined;
}
