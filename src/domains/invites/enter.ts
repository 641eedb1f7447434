import type { Database } from '../../platform/database/connection.ts';
import { raiseGrant, type Role } from '../access/index.ts';
import { insertMember } from '../members/index.ts';

/** What an invitation opens: an organization, or one space or collection of it. */
interface Opening {
  readonly organization_id: string;
  readonly space_id: string | null;
  readonly collection_id: string | null;
  readonly role: Role | null;
}

/**
 * Lets somebody in. Who is a member already keeps their role; an invitation into a space or collection makes a guest,
 * and never takes away what they have there.
 */
export async function enter(db: Database, opening: Opening, userId: string): Promise<void> {
  const { organization_id: organizationId, space_id: spaceId, collection_id: collectionId, role } = opening;
  const isInside = spaceId !== null || collectionId !== null;
  await insertMember(db, { organizationId, userId, role: isInside ? null : role });
  if (!role || !isInside) return;
  const subject = spaceId === null ? { collection_id: collectionId ?? '' } : { space_id: spaceId };
  await raiseGrant(db, organizationId, subject, { user_id: userId }, role);
}
