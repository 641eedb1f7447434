import type { Context } from '../../platform/api/context.ts';
import type { Database } from '../../platform/database/connection.ts';
import { findAuth, insertFirstKey, type StoredAuth } from './store.ts';
import { newSiteSecret, openSiteSecret, sealSiteSecret } from '../sites/index.ts';

/** How visitors of a site are authenticated. */
export interface VisitorAuth {
  readonly privateKey: string;
  readonly backend: 'custom' | 'integration';
  readonly fallbackUrl: string | undefined;
}

type AuthContext = Pick<Context, 'db' | 'keys'>;

const opened = ({ keys }: AuthContext, siteId: string, stored: StoredAuth): VisitorAuth => ({
  privateKey: openSiteSecret(keys, 'publishing-auth', siteId, stored.key_sealed),
  backend: stored.backend,
  fallbackUrl: stored.fallback_url ?? undefined,
});

/** Undefined: the site has no key yet, so there is no valid token for it. */
export async function findVisitorAuth(ctx: AuthContext, siteId: string): Promise<VisitorAuth | undefined> {
  const stored = await findAuth(ctx.db, siteId);
  return stored && opened(ctx, siteId, stored);
}

/** A site gets its key when an admin first asks for it: most sites need none. */
export async function getVisitorAuth(ctx: AuthContext, siteId: string): Promise<VisitorAuth> {
  const present = await findAuth(ctx.db, siteId);
  if (present) return opened(ctx, siteId, present);
  const sealed = sealSiteSecret(ctx.keys, 'publishing-auth', siteId, newSiteSecret());
  const insert = (db: Database) => insertFirstKey(db, siteId, sealed);
  // A transaction of its own in a read: its commit invalidates what is cached of the site.
  const stored = ctx.db.isTransaction ? insert(ctx.db) : ctx.db.transaction().execute(insert);
  return opened(ctx, siteId, await stored);
}
