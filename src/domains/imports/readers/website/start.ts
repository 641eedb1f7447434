import type { Outbound } from '../../../../platform/outbound/index.ts';
import { ImportError } from '../../folder/imported-folder.ts';
import { fetchPage, type FetchedPage } from './fetch-page.ts';
import { createPacer } from './politeness.ts';
import { EXPORT_INSTEAD, readRobots, type Robots } from './robots.ts';
import { scopeOf, type Scope } from './scope.ts';

const MAX_ORIGINS = 3;

export interface Start {
  readonly page: FetchedPage;
  readonly robots: Robots;
  readonly scope: Scope;
}

/**
 * Reads the start page. It may redirect to any public website, whose robots.txt then applies; where it leads decides what
 * is imported. Throws `OutboundError` and `ImportError`.
 */
export async function readStart(outbound: Outbound, startUrl: string, signal: AbortSignal): Promise<Start> {
  let { url } = await outbound.check(startUrl);
  const pacer = createPacer(1, 0, signal);
  for (let origins = 0; origins < MAX_ORIGINS; origins++) {
    const { origin } = url;
    const robots = await readRobots(outbound, origin, signal);
    if (!robots.allows(url)) throw disallowed(url);
    const mayFollow = (next: URL) => next.origin === origin && robots.allows(next);
    const fetched = await fetchPage(url.href, { outbound, pacer, signal, mayFollow });
    if ('refusal' in fetched) throw fetched.refusal;
    if ('page' in fetched) return { page: fetched.page, robots, scope: scopeOf(new URL(fetched.page.url)) };
    ({ url } = await outbound.check(fetched.redirect));
    if (url.origin === origin) throw disallowed(url);
  }
  throw new ImportError(400, `${startUrl} redirects from website to website. Send the final URL.`);
}

const disallowed = (url: URL): ImportError =>
  new ImportError(422, `robots.txt of ${url.host} does not allow reading ${url.pathname}.`, EXPORT_INSTEAD);
