import type { Config } from './config.ts';
import { foundOrganization } from './domains/members/index.ts';
import { insertToken, insertUser } from './domains/users/index.ts';
import type { Database } from './platform/database/connection.ts';

/** What a newcomer finds: an organization, its administrator, and the token to begin with. */
export async function seed(db: Database, config: Config): Promise<string> {
  const userId = await insertUser(db, {
    email: config.adminEmail,
    displayName: 'Administrator',
    isProven: true,
  });
  if (!userId) throw new Error(`${config.adminEmail} exists already in a new installation`);
  await foundOrganization(db, { title: config.organizationTitle }, userId);
  const { token } = await insertToken(db, userId, { label: 'First start' }, config.adminToken);
  return token;
}
