import type { Context } from '../../platform/api/context.ts';
import { badRequest, conflict } from '../../platform/api/errors.ts';
import { createLocator, requireDestination, type ReadContext } from './locate-destination.ts';
import type { NewRedirect } from './schema.ts';
import { requireSourceKey } from './source-key.ts';
import { hasHiddenRedirect, type RedirectColumns } from './store.ts';

/** Checks several redirects of a request: each by itself, that no two have the same source, and what they replace. */
export async function checkRedirects(
  ctx: ReadContext & Pick<Context, 'caller'>,
  siteId: string,
  redirects: readonly NewRedirect[],
): Promise<readonly RedirectColumns[]> {
  const keys = new Set<string>();
  const locate = createLocator(ctx);
  const checked: RedirectColumns[] = [];
  for (const [index, redirect] of redirects.entries()) {
    const path = `body.redirects[${index}]`;
    const sourceKey = requireSourceKey(redirect.source, `${path}.source`);
    if (keys.has(sourceKey)) {
      throw badRequest(`The source (${path}.source) is in the list already.`, [
        { path: `${path}.source`, rule: 'unique' },
      ]);
    }
    keys.add(sourceKey);
    await requireDestination(locate, sourceKey, redirect.destination, path);
    checked.push({ ...redirect, sourceKey });
  }
  if (await hasHiddenRedirect(ctx.db, ctx.caller.id, siteId, [...keys]))
    throw conflict(
      'The site already has a redirect from one of these sources, into a space that you cannot view.',
    );
  return checked;
}
