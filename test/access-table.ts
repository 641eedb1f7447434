import { collections } from '../src/domains/collections/index.ts';
import { primaryContent } from '../src/domains/content/policy.ts';
import { requestTargets } from '../src/domains/imports/policy.ts';
import { joinableInvites } from '../src/domains/invites/policy.ts';
import { members } from '../src/domains/members/index.ts';
import { joinableOrganizations } from '../src/domains/organizations/index.ts';
import { spaces, spacesAndDeleted } from '../src/domains/spaces/policy.ts';
import { users } from '../src/domains/users/index.ts';
import { self, tokens } from '../src/domains/users/policy.ts';
import type { NamedOperation } from '../src/platform/api/operation.ts';
import { may, type Resource } from '../src/platform/api/resource.ts';
import { atLeast, type Role } from '../src/domains/access/index.ts';
import type { Call } from './app.ts';
import { formsWithIds, type SampleId } from './sample.ts';
import type { Person } from './world.ts';

/** Who gets what answer, derived from the declarations: what test/access-matrix.test.ts holds the service against. */

/** What somebody is to the organization that the ids of a request belong to. */
export interface Standing {
  /** In the organization; null is a guest, undefined is nobody. */
  readonly role: Role | null | undefined;
  /** On the spaces and collections of the request, where that is not what the organization gives. */
  readonly there?: Role | null;
  /** What the request is about was made by them: it is theirs, as far as such things are anybody's own. */
  readonly isOwner?: boolean;
}

export interface Caller {
  readonly name: string;
  readonly call: Pick<Call, 'token' | 'headers'>;
  /** Undefined: their token is none. */
  readonly standing?: Standing;
  readonly person?: Person;
}

/** What to send beside the sample of an operation itself. */
export interface Variant {
  readonly name: string;
  readonly form?: number;
  /** Instead of the sample's. */
  readonly body?: Record<string, unknown>;
  /** The space is not deleted, where a deleted one would do as well. */
  readonly isLive?: boolean;
}

const on = (standing: Standing): Role | null =>
  standing.role === 'admin' || standing.there === undefined ? (standing.role ?? null) : standing.there;

export const isPlaced = (resource: Resource): boolean =>
  [spaces, spacesAndDeleted, primaryContent, requestTargets, collections].includes(resource) ||
  (resource.within !== undefined && isPlaced(resource.within));

/** Whose rows are not simply those of an organization, a space or a collection. Undefined: there is none for them. */
const OWN_AUDIENCE = new Map<Resource, (standing: Standing) => Role | undefined>([
  [self, () => 'admin'],
  [users, ({ role, isOwner }) => (isOwner ? 'admin' : role === undefined ? undefined : 'read')],
  [tokens, ({ isOwner }) => (isOwner ? 'admin' : undefined)],
  // By a proven address in the organization's domain, which nobody here has.
  [joinableOrganizations, () => undefined],
  // Knowing the id is the permission.
  [joinableInvites, () => 'read'],
  // Guests see themselves alone, and the member of a sample is somebody else.
  [members, ({ role }) => role ?? undefined],
]);

function roleOn(resource: Resource, standing: Standing, { isLive }: Variant): Role | null | undefined {
  const own = OWN_AUDIENCE.get(resource);
  if (own) return own(standing);
  if (standing.role === undefined) return undefined;
  const role = isPlaced(resource) ? on(standing) : standing.role;
  // Deleted spaces are there for their admins alone.
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

/** At the root there is no collection to say who may: the organization's `createContent` does. */
const rootNeedsCreateContent: Rule = (body, { role }) =>
  (body as { parent?: string | null }).parent || atLeast(role ?? null, 'create') ? undefined : 403;

/** Into another collection what inherits gets other rules: only its admin may take it there. */
const anotherParentNeedsAdmin: Rule = (body, standing, variant) =>
  (body as { parent?: string | null }).parent && on(standing) !== 'admin'
    ? 403
    : rootNeedsCreateContent(body, standing, variant);

/** The text is its author's alone; resolving is for them and for reviewers; reacting for all who may comment. */
const partsOfComment: Rule = (body, standing) => {
  const may = (least: Role) => atLeast(on(standing), least);
  if ('body' in body && !standing.isOwner) return 403;
  if ('resolved' in body && !standing.isOwner && !may('review')) return 403;
  return 'addedReactions' in body && !may('comment') ? 403 : undefined;
};

/** What handlers ask beyond `access` and the ids: each with its reason. */
export const RULES: Readonly<Record<string, Rule>> = {
  createSpace: rootNeedsCreateContent,
  createCollection: rootNeedsCreateContent,
  moveSpace: anotherParentNeedsAdmin,
  moveCollection: anotherParentNeedsAdmin,
  // `editMode` needs create, everything else admin (decision 15).
  updateSpaceById: (body, standing) => ('title' in body && on(standing) !== 'admin' ? 403 : undefined),
  // What is in it may be closed to its admins, but not to those of the organization.
  transferCollection: (_body, { role }) => (role === 'admin' ? undefined : 403),
  // A link into the organization needs its admin; into a space or collection, the admin there, as its id says.
  createOrganizationInvite: (body, { role }) => ('role' in body && role !== 'admin' ? 403 : undefined),
  updateCommentInSpace: partsOfComment,
  updateCommentInChangeRequest: partsOfComment,
  updateCommentReplyInSpace: partsOfComment,
  updateCommentReplyInChangeRequest: partsOfComment,
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
  const takesDeleted = operation.access.kind === 'target' && operation.access.resource === spacesAndDeleted;
  return [
    ...Array.from({ length: formsWithIds(operation) }, (_, form) => ({ name: `form ${form}`, form })),
    ...(extra ? [extra] : []),
    ...(takesDeleted ? [{ name: 'live', isLive: true }] : []),
  ];
}

/** The declared table: 401, then the target, then every other id in its order, then the rules above. */
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
    // What stands before the target is around it; what stands behind it, beside it.
    rest = [...path.slice(own + 1), ...rest];
  }
  for (const resource of new Set(rest.map((id) => id.reference.resource))) {
    for (const { reference, id } of rest.filter((each) => each.reference.resource === resource)) {
      // In another organization, which the maker of the sample founded.
      const there: Standing = reference.crossTenant
        ? { role: standing.isOwner ? 'admin' : undefined }
        : standing;
      const refused = verdict(reference, id, caller, there, variant);
      if (refused) return refused;
    }
  }
  return RULES[operation.id]?.(body, standing, variant) ?? status;
}
