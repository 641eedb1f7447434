import { adaptiveSites } from '../src/domains/adaptive-schema/policy.ts';
import { collections } from '../src/domains/collections/index.ts';
import { primaryContent } from '../src/domains/content/policy.ts';
import { customHostnames } from '../src/domains/custom-hostnames/policy.ts';
import { customizedSites } from '../src/domains/customization/policy.ts';
import { requestTargets } from '../src/domains/imports/policy.ts';
import { joinableInvites } from '../src/domains/invites/policy.ts';
import { members } from '../src/domains/members/index.ts';
import { joinableOrganizations } from '../src/domains/organizations/index.ts';
import { publishedSites } from '../src/domains/publishing/policy.ts';
import { sites } from '../src/domains/sites/policy.ts';
import { spaces, spacesAndDeleted } from '../src/domains/spaces/policy.ts';
import { users } from '../src/domains/users/index.ts';
import { self, tokens } from '../src/domains/users/policy.ts';
import type { NamedOperation } from '../src/platform/api/operation.ts';
import { may, type Resource } from '../src/platform/api/resource.ts';
import { atLeast, type Role } from '../src/domains/access/index.ts';
import type { Call } from './app.ts';
import { formsWithIds, type SampleId } from './sample.ts';
import type { Person } from './world.ts';

/** Expected status per caller, derived from the declarations. test/access-matrix.test.ts compares the service with it. */

/** The relation of a caller to the organization that the ids of a request belong to. */
export interface Standing {
  /** Role in the organization; null is a guest, undefined is not a member. */
  readonly role: Role | null | undefined;
  /** Role on the spaces and collections of the request, if it differs from the role in the organization. */
  readonly grantedRole?: Role | null;
  /** The caller created the target of the request and counts as its owner, where targets have owners. */
  readonly isOwner?: boolean;
}

export interface Caller {
  readonly name: string;
  readonly call: Pick<Call, 'token' | 'headers'>;
  /** Undefined: the token is invalid. */
  readonly standing?: Standing;
  readonly person?: Person;
}

/** What to send in addition to the sample of an operation. */
export interface Variant {
  readonly name: string;
  readonly form?: number;
  /** Replaces the one of the sample. */
  readonly body?: Record<string, unknown>;
  /** The space is live, where a deleted one would be valid, too. */
  readonly isLive?: boolean;
}

const effectiveRole = (standing: Standing): Role | null =>
  standing.role === 'admin' || standing.grantedRole === undefined
    ? (standing.role ?? null)
    : standing.grantedRole;

/** Sites, with the columns of one of their settings or without. */
const SITES: readonly Resource[] = [sites, customizedSites, publishedSites, adaptiveSites];

export const isPlaced = (resource: Resource): boolean =>
  [spaces, spacesAndDeleted, primaryContent, requestTargets, collections, ...SITES].includes(resource) ||
  (resource.within !== undefined && isPlaced(resource.within));

/** Resources whose rows are not found by organization, space or collection. Undefined: no row is visible. */
const OWN_AUDIENCE = new Map<Resource, (standing: Standing) => Role | undefined>([
  [self, () => 'admin'],
  [users, ({ role, isOwner }) => (isOwner ? 'admin' : role === undefined ? undefined : 'read')],
  [tokens, ({ isOwner }) => (isOwner ? 'admin' : undefined)],
  // Requires a verified address in the organization's domain, which no caller here has.
  [joinableOrganizations, () => undefined],
  // Knowing the id is the permission.
  [joinableInvites, () => 'read'],
  // Guests see only themselves, and the member of a sample is another user.
  [members, ({ role }) => role ?? undefined],
  // A sample has the hostname, not the site, so that no role on the site is granted.
  [customHostnames, ({ role }) => (role === 'admin' ? role : undefined)],
]);

/** A site has no default: others than admins of the organization need a grant. */
const isOfSite = (resource: Resource): boolean =>
  SITES.includes(resource) || (resource.within !== undefined && isOfSite(resource.within));

function roleOn(resource: Resource, standing: Standing, { isLive }: Variant): Role | null | undefined {
  const own = OWN_AUDIENCE.get(resource);
  if (own) return own(standing);
  if (standing.role === undefined) return undefined;
  if (isOfSite(resource) && standing.role !== 'admin' && !standing.grantedRole) return undefined;
  const role = isPlaced(resource) ? effectiveRole(standing) : standing.role;
  // Deleted spaces are visible only to their admins.
  if (resource === spacesAndDeleted && !isLive && role !== 'admin') return undefined;
  const least = resource.needs['view']?.role as Role | undefined;
  return least === undefined || atLeast(role, least) ? role : undefined;
}

function verdict(
  { resource, action }: { resource: Resource; action: string },
  id: string,
  caller: Caller,
  standing: Standing,
  variant: Variant,
): 404 | 403 | undefined {
  const role = roleOn(resource, standing, variant);
  if (role === undefined) return 404;
  const row = { role, [resource.key]: id, owns_team: false };
  return may(resource, action, row, caller.person?.id ?? '') ? undefined : 403;
}

type Rule = (body: object, standing: Standing, variant: Variant) => number | undefined;

/** The root has no collection that could grant access: `createContent` of the organization decides. */
const rootNeedsCreateContent: Rule = (body, { role }) =>
  (body as { parent?: string | null }).parent || atLeast(role ?? null, 'create') ? undefined : 403;

/** A space that inherits gets other rules in another collection: only its admin may move it there. */
const anotherParentNeedsAdmin: Rule = (body, standing, variant) =>
  (body as { parent?: string | null }).parent && effectiveRole(standing) !== 'admin'
    ? 403
    : rootNeedsCreateContent(body, standing, variant);

/** Only the author edits the text; the author and reviewers resolve; everyone who may comment reacts. */
const partsOfComment: Rule = (body, standing) => {
  const may = (least: Role) => atLeast(effectiveRole(standing), least);
  if ('body' in body && !standing.isOwner) return 403;
  if ('resolved' in body && !standing.isOwner && !may('review')) return 403;
  return 'addedReactions' in body && !may('comment') ? 403 : undefined;
};

/** Checks of handlers beyond `access` and the ids, each with its reason. */
export const RULES: Readonly<Record<string, Rule>> = {
  createSpace: rootNeedsCreateContent,
  createCollection: rootNeedsCreateContent,
  moveSpace: anotherParentNeedsAdmin,
  moveCollection: anotherParentNeedsAdmin,
  // `editMode` needs create, everything else admin (decision 15).
  updateSpaceById: (body, standing) =>
    'title' in body && effectiveRole(standing) !== 'admin' ? 403 : undefined,
  // Its contents may be closed to its admins, but not to admins of the organization.
  transferCollection: (_body, { role }) => (role === 'admin' ? undefined : 403),
  // A link into the organization needs its admin; into a space or collection, the admin there, as its id declares.
  createOrganizationInvite: (body, { role }) => ('role' in body && role !== 'admin' ? 403 : undefined),
  updateCommentInSpace: partsOfComment,
  updateCommentInChangeRequest: partsOfComment,
  updateCommentReplyInSpace: partsOfComment,
  updateCommentReplyInChangeRequest: partsOfComment,
  // The URL leads to a space with the default level of its organization.
  getContentByUrl: (_body, { role }) => (role ? undefined : 404),
  // A live space cannot be restored.
  restoreSpace: (_body, _standing, { isLive }) => (isLive ? 409 : undefined),
};

export const EXTRA: Readonly<Record<string, Variant>> = {
  createSpace: { name: 'at the root', body: {} },
  createCollection: { name: 'at the root', body: {} },
  moveSpace: { name: 'to the root', body: { parent: null } },
  moveCollection: { name: 'to the root', body: { parent: null } },
  updateSpaceById: { name: 'edit mode alone', body: { editMode: 'live' } },
  updateCommentInSpace: { name: 'resolving alone', body: { resolved: true } },
  updateCommentInChangeRequest: { name: 'a reaction alone', body: { addedReactions: ['👍'] } },
  updateCommentReplyInSpace: { name: 'a reaction alone', body: { addedReactions: ['👍'] } },
};

export function variantsOf(operation: NamedOperation): Variant[] {
  const extra = EXTRA[operation.id];
  const acceptsDeleted = operation.access.kind === 'target' && operation.access.resource === spacesAndDeleted;
  return [
    ...Array.from({ length: formsWithIds(operation) }, (_, form) => ({ name: `form ${form}`, form })),
    ...(extra ? [extra] : []),
    ...(acceptsDeleted ? [{ name: 'live', isLive: true }] : []),
  ];
}

/** The declared table: 401, then the target, then every other id in order, then the rules above. */
export function expectedOf(
  operation: NamedOperation,
  caller: Caller,
  ids: readonly SampleId[],
  body: object,
  variant: Variant,
): number {
  const { access, status } = operation;
  if (access.kind === 'anyone') return caller.standing || caller.name === 'none' ? status : 401;
  const { standing } = caller;
  if (!standing) return 401;
  let rest = ids.filter((id) => id.place !== 'path');
  if (access.kind === 'target') {
    const path = ids.filter((id) => id.place === 'path');
    const own = path.findLastIndex((id) => id.reference.resource === access.resource);
    const refused = verdict(access, path[own]?.id ?? '', caller, standing, variant);
    if (refused) return refused;
    // Ids before the target contain it; ids after it are other resources.
    rest = [...path.slice(own + 1), ...rest];
  }
  for (const resource of new Set(rest.map((id) => id.reference.resource))) {
    for (const { reference, id } of rest.filter((each) => each.reference.resource === resource)) {
      // In another organization, which the creator of the sample owns.
      const targetStanding: Standing = reference.crossTenant
        ? { role: standing.isOwner ? 'admin' : undefined }
        : standing;
      const refused = verdict(reference, id, caller, targetStanding, variant);
      if (refused) return refused;
    }
  }
  return RULES[operation.id]?.(body, standing, variant) ?? status;
}
