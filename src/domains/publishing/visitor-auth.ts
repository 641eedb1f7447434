import type { Context } from '../../platform/api/context.ts';
import { newPrivateKey, openPrivateKey, sealPrivateKey } from './private-key.ts';
import { findAuth, insertFirstKey, type StoredAuth } from './store.ts';

/** How visitors of a site are authenticated. */
export interface VisitorAuth {
  readonly privateKey: string;
  readonly backend: 'custom' | 'integration';
  readonly fallbackUrl: string | undefined;
}

type AuthContext = Pick<Context, 'db' | 'keys'>;

const opened = ({ keys }: AuthContext, siteId: string, stored: StoredAuth): VisitorAuth => ({
  privateKey: openPrivateKey(keys, siteId, stored.key_sealed),
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
  const stored =
    (await findAuth(ctx.db, siteId)) ??
    (await insertFirstKey(ctx.db, siteId, sealPrivateKey(ctx.keys, siteId, newPrivateKey())));
  return opened(ctx, siteId, stored);
}
