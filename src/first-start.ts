import path from 'node:path';
import type { Config } from './config.ts';
import { importFolder } from './domains/content/index.ts';
import { createStorageCaches } from './domains/revisions/index.ts';
import { createOrganizationWithAdmin } from './domains/members/index.ts';
import { createSpaceIn } from './domains/spaces/index.ts';
import { deleteUnusedTokens, findAdministrator, insertToken, insertUser } from './domains/users/index.ts';
import { listFolder } from './list-folder.ts';
import type { Database } from './platform/database/connection.ts';
import type { Files } from './platform/files/index.ts';
import { PACKAGE_ROOT } from './platform/version.ts';

/** Of tokens that were printed; one that the operator chose has another, since it is never deleted. */
const PRINTED = 'First start';
const GIVEN = 'OCTAVO_ADMIN_TOKEN';
/** Several processes may start at once, and each prints its own token: none of them may void another's. */
const MAX_UNUSED = 10;

/** Fills a new installation: an organization, its administrator and the handbook. Returns the administrator's id. */
export async function seed(db: Database, files: Files, config: Config): Promise<string> {
  const userId = await insertUser(db, {
    email: config.adminEmail,
    displayName: 'Administrator',
    isProven: true,
  });
  if (!userId) throw new Error(`${config.adminEmail} already exists in a new installation`);
  const organizationId = await createOrganizationWithAdmin(db, { title: config.organizationTitle }, userId);
  const handbook = { title: 'Octavo handbook', editMode: 'live' } as const;
  const spaceId = await createSpaceIn(db, organizationId, handbook, userId);
  const ctx = { db, files, caches: createStorageCaches(), now: () => new Date() };
  const { files: pages } = listFolder(path.join(PACKAGE_ROOT, 'docs'));
  await importFolder(ctx, { spaceId }, userId, pages);
  if (config.adminToken) await insertToken(db, userId, { label: GIVEN }, config.adminToken);
  return userId;
}

export interface Administrator {
  readonly email: string;
  /** A new token, as long as the administrator has never used one. */
  readonly token: string | undefined;
}

/**
 * The account that the first start created. To be called once the server listens: a token that was printed by a start
 * that failed afterwards may have been lost, so the next start makes another.
 */
export async function readAdministrator(db: Database, config: Config): Promise<Administrator | undefined> {
  const found = await findAdministrator(db);
  if (!found) return undefined;
  const { id, email, hasUsedToken } = found;
  // Where one is used, the others were printed for nothing, and may be in some log.
  if (hasUsedToken) await deleteUnusedTokens(db, id, PRINTED, 0);
  if (hasUsedToken || config.adminToken) return { email, token: undefined };
  return db.transaction().execute(async (transaction) => {
    await deleteUnusedTokens(transaction, id, PRINTED, MAX_UNUSED - 1);
    const { token } = await insertToken(transaction, id, { label: PRINTED });
    return { email, token };
  });
}
