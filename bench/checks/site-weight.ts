import { gunzipSync } from 'node:zlib';
import { EVERY_NODE } from '../../test/every-node.ts';
import type { Api } from '../api.ts';
import { atMost, type Check } from '../check.ts';
import { pageRequest, publishSite, type PublishedSite } from '../published-site.ts';
import { shared } from '../row.ts';
import { createSpace, insertPage, sizedSpace } from '../space.ts';

/** What a reader loads before any interaction, in kilobytes (1,000 bytes) of gzip. */
const HTML = atMost(15, 'kB');
const CSS = atMost(17, 'kB');
const JS = atMost(15, 'kB');

const link = (title: string) => ({ title, to: { kind: 'url', url: `https://example.org/${title}` } });

const menu = (title: string) => ({ ...link(title), links: [link('First'), link('Second')] });

/** Every part of a page that settings add. */
const SETTINGS = {
  header: { preset: 'default', links: ['Source', 'Community'].map(menu) },
  footer: {
    copyright: '© The authors',
    groups: ['Product', 'Develop', 'Community'].map((title) => ({
      title,
      links: [link('First'), link('Second'), link('Third')],
    })),
  },
  announcement: { enabled: true, message: 'A new version is available.', style: 'info', link: link('Notes') },
};

/** The compressed bytes of a page, and of the files of a kind that it links to. */
interface Weight {
  readonly html: number;
  linked(pattern: RegExp): Promise<number>;
}

async function weigh(api: Api, path: string): Promise<Weight> {
  const body = await api.bytesOf(pageRequest(path, 'gzip'));
  const html = gunzipSync(body).toString('utf8');
  return {
    html: body.length / 1000,
    async linked(pattern) {
      const paths = [...html.matchAll(pattern)].map(([, href]) => href ?? '');
      if (paths.length === 0) throw new Error(`${path} links to no file ${pattern.source}`);
      const sizes = await Promise.all(
        paths.map(async (href) => (await api.bytesOf(pageRequest(href, 'gzip'))).length),
      );
      return sizes.reduce((sum, size) => sum + size, 0) / 1000;
    },
  };
}

const everyBlock = shared(async (api) => {
  const id = await createSpace(api);
  await api.send(insertPage(id, { title: 'Every block', markdown: EVERY_NODE, words: [] }));
  const { path } = await publishSite(api, { id, pages: [] }, SETTINGS);
  return weigh(api, `${path}/`);
});

const ofEveryBlock = (
  what: string,
  aim: Check['aim'],
  figureOf: (weight: Weight) => number | Promise<number>,
) => ({
  name: `page weight, every block: ${what}, gzip`,
  aim,
  measure: async ({ api }: Parameters<Check['measure']>[0]) => figureOf(await everyBlock(api)),
});

/** The heaviest of several pages of a site of 10,000. */
const inLargeSite = (
  what: string,
  shape: 'flat' | '8 deep',
  pathsOf: (site: PublishedSite) => readonly string[],
): Check => ({
  name: `page weight, site of 10000 pages: ${what}, gzip`,
  aim: HTML,
  async measure({ api }) {
    const paths = pathsOf(await publishSite(api, await sizedSpace(api, 10_000, shape), SETTINGS));
    const weights = await Promise.all(paths.map((path) => weigh(api, path)));
    return Math.max(...weights.map(({ html }) => html));
  },
});

export const siteWeightChecks: readonly Check[] = [
  ofEveryBlock('HTML', HTML, ({ html }) => html),
  ofEveryBlock('CSS', CSS, ({ linked }) => linked(/<link rel="stylesheet" href="([^"]+)"/g)),
  ofEveryBlock('JavaScript', JS, ({ linked }) => linked(/<script src="([^"]+)"/g)),
  inLargeSite('deepest page', '8 deep', ({ pages }) => pages.slice(-3)),
  inLargeSite('page of a level of 10000', 'flat', ({ pages }) => [0, 5000, 9999].map((n) => pages[n] ?? '')),
  inLargeSite('contents of a level of 10000', 'flat', ({ path, siteSpaceId }) =>
    ['', '?from=5000'].map((from) => `${path}/~octavo/contents/${siteSpaceId}${from}`),
  ),
];
