import path from 'node:path';
import type { Config } from './config.ts';
import { importFolder } from './domains/content/index.ts';
import { createStorageCaches } from './domains/content-store/index.ts';
import { createOrganizationWithAdmin } from './domains/members/index.ts';
import { publishSpace } from './domains/sites/index.ts';
import { createSpaceIn } from './domains/spaces/index.ts';
import { deleteUnusedTokens, findAdministrator, insertToken, insertUser } from './domains/users/index.ts';
import { listFolder } from './list-folder.ts';
import type { Database } from './platform/database/connection.ts';
import type { Files } from './platform/files/index.ts';
import { PACKAGE_ROOT } from './platform/version.ts';

/** Label of generated tokens. Unused ones are deleted; a token that the operator configured never is. */
const GENERATED_LABEL = 'First start';
const CONFIGURED_LABEL = 'OCTAVO_ADMIN_TOKEN';
/** Several processes may start at once, and each prints its own token, which must remain valid. */
const MAX_UNUSED = 10;

export interface Seeded {
  readonly administratorId: string;
  /** The site that the address of the installation shows; null: none. */
  readonly homeSiteId: string | null;
}

/** Fills a new installation: an organization, its administrator and the handbook, which it publishes. */
export async function seed(db: Database, files: Files, config: Config): Promise<Seeded> {
  const userId = await insertUser(db, {
    email: config.adminEmail,
    displayName: 'Administrator',
    isProven: true,
  });
  if (!userId) throw new Error(`${config.adminEmail} already exists in a new installation`);
  const organizationId = await createOrganizationWithAdmin(db, { title: config.organizationTitle }, userId);
  const handbook = { title: 'Octavo handbook', editMode: 'live' } as const;
  const spaceId = await createSpaceIn(db, organizationId, handbook, userId);
  const ctx = { db, isFront: false, files, caches: createStorageCaches(), now: () => new Date() };
  const { files: pages } = listFolder(path.join(PACKAGE_ROOT, 'docs'));
  await importFolder(ctx, { spaceId }, userId, pages);
  const site = { organizationId, spaceId, title: handbook.title, basename: 'handbook' };
  const homeSiteId = config.handbook ? await publishSpace(db, site) : null;
  if (config.adminToken) await insertToken(db, userId, { label: CONFIGURED_LABEL }, config.adminToken);
  return { administratorId: userId, homeSiteId };
}

export interface Administrator {
  readonly email: string;
  /** A new token, until the administrator has used one. */
  readonly token: string | undefined;
}

/**
 * The account that the first start created. Call it once the server listens: a token that was printed by a start that
 * failed afterwards may have been lost, so the next start creates another.
 */
export async function readAdministrator(db: Database, config: Config): Promise<Administrator | undefined> {
  const found = await findAdministrator(db);
  if (!found) return undefined;
  const { id, email, hasUsedToken } = found;
  // Once one token is used, the others are unnecessary, and may have been logged.
  if (hasUsedToken) await deleteUnusedTokens(db, id, GENERATED_LABEL, 0);
  if (hasUsedToken || config.adminToken) return { email, token: undefined };
  return db.transaction().execute(async (transaction) => {
    await deleteUnusedTokens(transaction, id, GENERATED_LABEL, MAX_UNUSED - 1);
    const { token } = await insertToken(transaction, id, { label: GENERATED_LABEL });
    return { email, token };
  });
}
