import { residentMemory } from '../child.ts';
import { atLeast, atMost, type Bench, type Check } from '../check.ts';
import type { Api } from '../api.ts';
import { median } from '../load.ts';
import { waitForIdle } from '../idle.ts';
import { startSite } from '../site.ts';
import { createSpace } from '../space.ts';
import { startVictim } from '../victim.ts';

/** Of `bench/site-server.ts`, and the start page. */
const SITE_PAGES = 501;
const ZIP_PAGES = 200;
const TIMES = 3;

interface Imported {
  readonly importedResources: number;
  readonly totalResources: number;
}

const importOf = (api: Api, spaceId: string, body: object): Promise<Imported> =>
  api.send<Imported>({ method: 'POST', path: `/v1/spaces/${spaceId}/content/import`, body });

/** Into an organization of its own each time: another one may have the same texts stored already. The first is a warm-up. */
async function pagesPerSecond(
  { api, options }: Bench,
  source: { readonly url: string; readonly source: string },
  pages: number,
): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i <= TIMES; i++) {
    await waitForIdle(options.wait);
    const spaceId = await createSpace(api);
    const begun = performance.now();
    const { importedResources } = await importOf(api, spaceId, source);
    times.push((performance.now() - begun) / 1000);
    if (importedResources !== pages)
      throw new Error(`${importedResources} of ${pages} pages were imported from ${source.url}`);
    const { items } = await api.send<{ items: readonly object[] }>({
      path: `/v1/spaces/${spaceId}/search?query=499`,
    });
    if (pages === SITE_PAGES && items.length === 0) throw new Error('the imported pages are not found');
  }
  return pages / median(times.slice(1));
}

const website: Check = {
  name: `import of a website of ${SITE_PAGES} pages, searchable at its end`,
  aim: atLeast(100, 'pages/s'),
  async measure(bench) {
    const site = await startSite(bench.cleanup);
    return pagesPerSecond(bench, { url: `${site}/docs/`, source: 'website' }, SITE_PAGES);
  },
};

const zip: Check = {
  name: `import of a ZIP of ${ZIP_PAGES} Markdown pages behind a URL`,
  aim: atLeast(500, 'pages/s'),
  async measure(bench) {
    const site = await startSite(bench.cleanup);
    return pagesPerSecond(bench, { url: `${site}/pages.zip`, source: 'zip' }, ZIP_PAGES);
  },
};

/** A site that generates pages as they are requested, until the time limit of a request. */
const endless = (
  name: string,
  aim: Check['aim'],
  figureOf: (grownMb: number, delayMs: number) => number,
): Check => ({
  name: `import of a website without an end: ${name}`,
  aim,
  async measure({ cleanup }) {
    const site = await startSite(cleanup);
    const victim = await startVictim(cleanup);
    const spaceId = await createSpace(victim.api);
    const before = (residentMemory(victim.server.pid) ?? 0) / 2 ** 20;
    const harm = await victim.observe(async () => {
      const body = { url: `${site}/endless/`, source: 'website' };
      const { importedResources, totalResources } = await importOf(victim.api, spaceId, body);
      return [{ isExpected: importedResources > 0 && totalResources > importedResources }];
    });
    await victim.server.stop();
    if (harm.wrong > 0) throw new Error('the import of an endless site did not say what it left out');
    return figureOf(harm.peakMb - before, harm.loopDelayMs);
  },
});

export const importUrlChecks: readonly Check[] = [
  website,
  zip,
  endless('growth of memory', atMost(300, 'MB'), (grownMb) => grownMb),
  endless('longest delay of the event loop', atMost(200, 'ms'), (_grownMb, delayMs) => delayMs),
];
