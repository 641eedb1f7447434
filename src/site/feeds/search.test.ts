import { beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../../test/app.ts';
import { idsOf, insert } from '../../../test/content.ts';
import { dice } from '../../../test/places.ts';
import { aPublishedSite, type PublishedSite } from '../../../test/published-site.ts';
import { aSide } from '../../../test/world.ts';

/** A search of a site knows nothing of what its visitor may not read. */

let app: TestApp;
let site: PublishedSite;
/** Writes this text where the visitor does not see it. */
let hide: (text: string) => Promise<void>;

beforeAll(async () => {
  app = await startApp();
  site = await aPublishedSite(app, await aSide(app, 'alpha'), { title: 'Searched' });
  await site.change('PATCH', site.site, { adaptiveContent: { enabled: true } });
  const { space } = await site.addSpace('Manual');
  const other = await site.addSpace('Other');
  await site.contents.edit(other.space, insert('Elsewhere', 'The documentation of plums and globes.'));
  const pages = idsOf(
    await site.contents.edit(
      space,
      insert('Welcome', 'The documentation of apples.'),
      insert('Pears', 'About pears and the documentation, and other fruit.'),
      insert('Fruit', '## Apples and pears\n\nGlobes are round.'),
      insert('For some', 'x'),
      insert('Never', 'x', { condition: 'false' }),
      insert('Not in the navigation', 'x', { hidden: true }),
      insert('Fruit of all kinds', 'Kinds of apples, pears and plums.'),
    ),
  );
  const [some, never, unlisted] = pages.slice(3);
  const closed = await site.addSpace('Closed');
  await site.change('PATCH', `${site.site}/site-spaces/${closed.siteSpace}`, { condition: 'false' });
  const [inside] = idsOf(await site.contents.edit(closed.space, insert('Inside', 'x')));
  const update = (page: string | undefined, markdown: string, more: object = {}) => ({
    operation: 'update_page',
    page,
    document: { markdown },
    ...more,
  });
  hide = async (text) => {
    const block = `Readable globes of fruit.\n\n{% if false %}\n${text}\n{% endif %}\n\nAnd pears.\n`;
    await site.contents.edit(
      space,
      update(some, block),
      update(never, text, { title: text.slice(0, 60) || 'Never' }),
      update(unlisted, text, { title: text.slice(0, 60) || 'Unlisted' }),
    );
    await site.contents.edit(closed.space, update(inside, text, { title: text.slice(0, 60) || 'Inside' }));
  };
});

const QUERIES = [
  'documentation globex',
  'documentation secret',
  'globex',
  'globez',
  'secrte',
  'apples globex secret',
  'fruit pears secret',
  'apples pears plums',
  'fruit',
  'frui',
  'fruit of all kinds secret',
  'apple',
  'aples plumbs',
  'documentation plumz',
  'globeWorker pears',
];

/** The answers of every surface to every query. */
async function answers(): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {};
  for (const query of QUERIES) {
    const path = `/~octavo/search?q=${encodeURIComponent(query)}`;
    found[`json ${query}`] = (await site.read(path, { accept: 'application/json' })).body;
    const mcp = await app.call('POST', `/${site.basename}/~octavo/mcp`, {
      headers: { accept: 'application/json, text/event-stream' },
      body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'search', arguments: { query } } },
    });
    expect(mcp.status, mcp.text).toBe(200);
    found[`mcp ${query}`] = mcp.text;
  }
  return found;
}

/** Words near those of the queries, and near those of pages that the visitor may read. */
const WORDS = (
  'globex secret documentation apples plums fruit kinds pears globe worker ' +
  'globea globeb globec globed globee globef globeg globeh globei globek'
).split(' ');

test('the words of hidden pages, blocks and spaces change no answer', async () => {
  await hide('nothing');
  const before = await answers();
  expect(before['json documentation globex']).toMatchObject({ count: expect.toSatisfy((n) => n > 0) });
  const roll = dice(11);
  const texts = Array.from({ length: 1 }, () =>
    Array.from({ length: 12 }, () => WORDS[roll(WORDS.length)]).join(' '),
  );
  for (const text of ['documentation globex', WORDS.join(' '), 'Fruit of all kinds secret', ...texts]) {
    await hide(text);
    expect(await answers(), text).toEqual(before);
  }
});

test('more hidden pages than a search reads hide no result', async () => {
  const { space } = await site.addSpace('Crowded');
  const hidden = (at: number) => insert(`Quartz ${at}`, 'quartz quartz', { condition: 'false' });
  for (let batch = 0; batch < 2; batch++)
    await site.contents.edit(space, ...Array.from({ length: 45 }, (_each, at) => hidden(at)));
  await site.contents.edit(space, insert('Stones', 'Jade and quartz.'));
  const { body } = await site.read('/~octavo/search?q=quartz', { accept: 'application/json' });
  expect(body.items.map(({ title }: { title: string }) => title)).toEqual(['Stones']);
});
