import path from 'node:path';
import type { Config } from './config.ts';
import { importFolder } from './domains/content/index.ts';
import { foundOrganization } from './domains/members/index.ts';
import { createSpaceIn } from './domains/spaces/index.ts';
import { insertToken, insertUser } from './domains/users/index.ts';
import { listFolder } from './folder.ts';
import type { Database } from './platform/database/connection.ts';
import type { Files } from './platform/files/index.ts';
import { PACKAGE_ROOT } from './platform/version.ts';

/** What a newcomer finds: an organization, its administrator with a token to begin with, and the handbook. */
export async function seed(db: Database, files: Files, config: Config): Promise<string> {
  const userId = await insertUser(db, {
    email: config.adminEmail,
    displayName: 'Administrator',
    isProven: true,
  });
  if (!userId) throw new Error(`${config.adminEmail} exists already in a new installation`);
  const organizationId = await foundOrganization(db, { title: config.organizationTitle }, userId);
  const handbook = { title: 'Octavo handbook', editMode: 'live' } as const;
  const spaceId = await createSpaceIn(db, organizationId, handbook, userId);
  const ctx = { db, files, now: () => new Date() };
  const { files: pages } = listFolder(path.join(PACKAGE_ROOT, 'docs'));
  await importFolder(ctx, { spaceId }, userId, pages);
  const { token } = await insertToken(db, userId, { label: 'First start' }, config.adminToken);
  return token;
}
