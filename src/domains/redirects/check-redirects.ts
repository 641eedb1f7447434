import { badRequest } from '../../platform/api/errors.ts';
import { createLocator, requireDestination, type ReadContext } from './locate-destination.ts';
import type { NewRedirect } from './schema.ts';
import { requireSourceKey } from './source-key.ts';
import type { RedirectColumns } from './store.ts';

/** Checks several redirects of a request: each by itself, and that no two have the same source. */
export async function checkRedirects(
  ctx: ReadContext,
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
  return checked;
}
