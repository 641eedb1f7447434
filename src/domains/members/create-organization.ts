import type { Static } from 'typebox';
import type { Database } from '../../platform/database/connection.ts';
import { insertOrganization, type NewOrganization } from '../organizations/index.ts';
import { insertMember } from './store.ts';

/** An organization always has an admin: its creator is the first. */
export async function createOrganizationWithAdmin(
  db: Database,
  input: Static<typeof NewOrganization>,
  adminId: string,
): Promise<string> {
  const organizationId = await insertOrganization(db, input);
  await insertMember(db, { organizationId, userId: adminId, role: 'admin' });
  return organizationId;
}
