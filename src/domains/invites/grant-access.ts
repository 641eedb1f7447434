import type { Database } from '../../platform/database/connection.ts';
import { raiseGrant, type Role } from '../access/index.ts';
import { insertMember } from '../members/index.ts';

/** The target of an invitation: an organization, or one space or collection of it. */
interface InvitationTarget {
  readonly organization_id: string;
  readonly space_id: string | null;
  readonly collection_id: string | null;
  readonly role: Role | null;
}

/**
 * Gives a user the access of an invitation. Members keep their role. An invitation to a space or collection creates a
 * guest, and never lowers a role there.
 */
export async function grantAccess(db: Database, target: InvitationTarget, userId: string): Promise<void> {
  const { organization_id: organizationId, space_id: spaceId, collection_id: collectionId, role } = target;
  const isInside = spaceId !== null || collectionId !== null;
  await insertMember(db, { organizationId, userId, role: isInside ? null : role });
  if (!role || !isInside) return;
  const subject = spaceId === null ? { collection_id: collectionId ?? '' } : { space_id: spaceId };
  await raiseGrant(db, organizationId, subject, { user_id: userId }, role);
}
