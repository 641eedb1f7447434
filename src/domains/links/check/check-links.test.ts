import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createLog } from '../../../log.ts';
import { loadConfig } from '../../../config.ts';
import { createOutbound } from '../../../platform/outbound/index.ts';
import { startApp, type Answer, type TestApp } from '../../../../test/app.ts';
import { contentsOf, idsOf, insert, type Contents } from '../../../../test/content.ts';
import { RECORDS } from '../../../../test/hostile-names.ts';
import { HOSTILE_URLS } from '../../../../test/hostile-urls.ts';
import { expectError } from '../../../../test/refusal.ts';
import { redirectTo, respond, serveSite, type Handler, type ServedSite } from '../../../../test/site.ts';
import { aSide, type Side } from '../../../../test/world.ts';
import { checkSpace } from './check-space.ts';
import { checkExternalLinks, checkNext } from './jobs.ts';

let app: TestApp;
let side: Side;
let contents: Contents;
let site: ServedSite;
/** Called with each request to the site. */
let meanwhile: (path: string) => Promise<unknown>;

const SITE: Readonly<Record<string, Handler>> = {
  '/ok': respond(200),
  '/missing': respond(404),
  '/gone': respond(410),
  '/error': respond(500),
  '/many': respond(429, { 'retry-after': '0' }),
  '/moved': redirectTo('/ok'),
  '/to-missing': redirectTo('/missing'),
  '/loop': redirectTo('/loop'),
  '/private': redirectTo('http://10.0.0.1/'),
  '/no-head': (request, response) => response.writeHead(request.method === 'HEAD' ? 405 : 200).end(),
};

beforeAll(async () => {
  const awaited = Object.entries(SITE).map(([path, handler]): [string, Handler] => [
    path,
    (request, response) => void meanwhile(path).then(() => handler(request, response)),
  ]);
  site = await serveSite(Object.fromEntries(awaited), (request, response) => {
    void meanwhile(request.url ?? '').then(() => response.writeHead(200).end());
  });
  app = await startApp({ environment: { OCTAVO_OUTBOUND_ALLOW: `127.0.0.1:${site.port}` } });
  side = await aSide(app, 'checks');
  contents = contentsOf(app, side);
});

beforeEach(() => {
  meanwhile = async () => undefined;
  site.requests.length = 0;
});
afterEach(() => app.sql('update link_indexes set checking_until = null'));

const log = createLog(loadConfig({ OCTAVO_LOG_LEVEL: 'silent' }));
const jobContext = () => ({ ...app.app.context, db: app.app.installation.connection.db, log });
const never = new AbortController().signal;
const work = (signal = never) => checkNext(jobContext(), { signal, pauseMs: 0 });
const idOf = (space: string) => space.split('/').at(-1) ?? '';

const linkTo = (...paths: string[]) => paths.map((path) => `[x](${site.url}${path})`).join(' ');

async function aSpaceWith(...paths: string[]): Promise<string> {
  const space = await contents.aSpace();
  await contents.edit(space, insert('A', linkTo(...paths)));
  return space;
}

async function request(space: string): Promise<Answer['body']> {
  const answer = await contents.call('POST', `${space}/links/check`);
  expect(answer.status, answer.text).toBe(202);
  return answer.body;
}

/** `path status problem`, sorted; `?`: not checked. */
async function results(space: string, query = ''): Promise<string[]> {
  const { items } = await contents.get(`${space}/links${query}`);
  return items
    .map(({ targetReference, status, check }: Answer['body']) => {
      const path = targetReference.url.replace(site.url, '');
      return `${path} ${status} ${check ? (check.problem ?? '-') : '?'}`;
    })
    .toSorted();
}

const pendingJobs = async () =>
  (
    await app.sql(
      `select count(*)::int as count from graphile_worker.jobs where task_identifier = 'links.check'`,
    )
  )[0]?.['count'];

describe('a requested check', () => {
  test('requests each URL once, and its results are in the lists', async () => {
    const space = await contents.aSpace();
    const paths = Object.keys(SITE);
    const edited = await contents.edit(
      space,
      insert('A', linkTo(...paths)),
      insert(
        'B',
        `${linkTo('/ok', '/missing', '/missing#part', '/missing#other')} [m](mailto:a@example.org)`,
      ),
    );
    expect(await results(space, '?status=broken')).toEqual([]);
    expect(await request(space)).toEqual({
      object: 'link-check',
      status: 'pending',
      total: paths.length,
      remaining: paths.length,
      urls: { links: `http://octavo.test${space}/links` },
    });
    await work();
    expect(await results(space)).toEqual(
      [
        '/error ok 500 Internal Server Error',
        '/gone broken 410 Gone',
        '/loop ok 127.0.0.1 redirects more than 3 times. Send the final URL.',
        '/many ok 429 Too Many Requests',
        '/missing broken 404 Not Found',
        '/missing#other broken 404 Not Found',
        '/missing#part broken 404 Not Found',
        '/moved ok -',
        '/no-head ok -',
        '/ok ok -',
        '/private ok Not checked: 10.0.0.1 is not a public address. The operator of this server can allow it in OCTAVO_OUTBOUND_ALLOW.',
        '/to-missing broken 404 Not Found',
        'mailto:a@example.org ok ?',
      ].toSorted(),
    );
    const { stats } = await contents.get(`${space}/links`);
    expect(stats).toEqual({ total: 13, broken: { total: 5 } });
    const broken = await contents.get(`${space}/links?status=broken`);
    expect([broken.count, broken.items.length]).toEqual([5, 5]);
    expect(broken.items[0].check.at).toMatch(/^\d{4}-/);
    expect(site.requests.filter((path) => path === '/ok').length).toBe(2);
    const [, page] = idsOf(edited);
    expect(await results(`${space}/content/page/${page}`, '?status=broken')).toHaveLength(3);
    const [state] = await app.sql('select checking_until from link_indexes where space_id = $1', [
      idOf(space),
    ]);
    expect(state).toEqual({ checking_until: null });
  });

  test('reports its progress when it is requested again, and runs once', async () => {
    const space = await aSpaceWith('/1', '/2', '/3');
    expect(await request(space)).toMatchObject({ status: 'pending', remaining: 3 });
    expect(await request(space)).toMatchObject({ status: 'pending', remaining: 3 });
    let during: Answer['body'];
    meanwhile = async () => {
      during = await request(space);
      // Another worker finds nothing to do.
      await work();
    };
    await work();
    expect(during).toMatchObject({ status: 'in-progress', total: 3 });
    expect(site.requests.toSorted()).toEqual(['/1', '/2', '/3']);
  });

  test('renews problems, and results that are older than an hour', async () => {
    const space = await aSpaceWith('/missing', '/fresh', '/old');
    await request(space);
    await work();
    await app.sql(
      `update link_targets set checked_at = now() - interval '61 minutes' where space_id = $1 and url like '%/old'`,
      [idOf(space)],
    );
    site.requests.length = 0;
    expect(await request(space)).toMatchObject({ total: 3, remaining: 2 });
    await work();
    expect(site.requests.toSorted()).toEqual(['/missing', '/missing', '/old']);
    await contents.edit(space, insert('B', linkTo('/new')));
    site.requests.length = 0;
    await request(space);
    await work();
    expect(site.requests.toSorted()).toEqual(['/missing', '/missing', '/new']);
  });

  test('requires the role edit', async () => {
    const space = await aSpaceWith('/ok');
    const path = `${space}/links/check`;
    expectError(await app.call('POST', path, { token: side.people.comment.token }), 403);
    expect((await app.call('POST', path, { token: side.people.edit.token })).status).toBe(202);
  });

  test('of an empty space has nothing to do', async () => {
    const space = await contents.aSpace();
    expect(await request(space)).toMatchObject({ total: 0, remaining: 0 });
  });
});

describe('a check', () => {
  test('that ends early saves its results, continues itself, and requests no URL again', async () => {
    const space = await aSpaceWith(...Array.from({ length: 5 }, (_each, n) => `/${n}`));
    await request(space);
    const before = await pendingJobs();
    const turn = new AbortController();
    meanwhile = async () => void (site.requests.length === 3 && turn.abort());
    await work(turn.signal);
    expect(site.requests).toHaveLength(3);
    expect((await results(space)).filter((each) => each.endsWith('?'))).toHaveLength(3);
    expect(await pendingJobs()).toBe(Number(before) + 1);
    expect(await request(space)).toMatchObject({ status: 'pending', remaining: 3 });
    await work();
    // The request that was aborted is repeated.
    expect(site.requests).toHaveLength(6);
    expect((await results(space)).filter((each) => each.endsWith('?'))).toEqual([]);
  });

  test('of a process that was killed is resumed by another', async () => {
    const space = await aSpaceWith('/1', '/2');
    await request(space);
    await app.sql(
      `update link_indexes set checking_until = now() + interval '1 minute' where space_id = $1`,
      [idOf(space)],
    );
    await work();
    expect(site.requests).toEqual([]);
    await app.sql(
      `update link_indexes set checking_until = now() - interval '1 second' where space_id = $1`,
      [idOf(space)],
    );
    await work();
    expect(site.requests.toSorted()).toEqual(['/1', '/2']);
  });

  test('takes turns with checks of other spaces, one at a time', async () => {
    const spaces = [await aSpaceWith('/a'), await aSpaceWith('/b'), await aSpaceWith('/c')];
    for (const space of spaces) await request(space);
    let isWaiting = true;
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    meanwhile = () => (isWaiting ? released : Promise.resolve());
    const working = work();
    await expect.poll(() => site.requests.length).toBe(1);
    await work();
    expect(site.requests).toHaveLength(1);
    isWaiting = false;
    release();
    await working;
    await work();
    await work();
    expect(site.requests.toSorted()).toEqual(['/a', '/b', '/c']);
  });

  test('of a page that is edited meanwhile keeps counts and results consistent', async () => {
    const space = await contents.aSpace();
    const [page] = idsOf(await contents.edit(space, insert('A', linkTo('/missing', '/gone', '/ok'))));
    await request(space);
    meanwhile = async (path) => {
      if (path !== '/gone') return;
      const document = { markdown: linkTo('/missing', '/ok', '/new') };
      await contents.edit(space, { operation: 'update_page', page, document });
    };
    await work();
    expect(await results(space)).toEqual(['/missing broken 404 Not Found', '/new ok -', '/ok ok -']);
    const { stats } = await contents.get(`${space}/links`);
    expect(stats).toEqual({ total: 3, broken: { total: 1 } });
    const [count] = await app.sql(
      `select i.targets, i.broken, count(*)::int as rows, count(*) filter (where t.broken)::int as broken_rows
       from link_indexes i join link_targets t using (space_id) where i.space_id = $1 group by i.space_id`,
      [idOf(space)],
    );
    expect(count).toEqual({ targets: 3, broken: 1, rows: 3, broken_rows: 1 });
  });

  test('does not request URLs of this platform, nor those with expressions', async () => {
    const space = await contents.aSpace();
    await contents.edit(
      space,
      insert('A', `[own](http://octavo.test/x) [e](${site.url}/{{name}}) [ok](${site.url}/ok)`),
    );
    expect(await request(space)).toMatchObject({ total: 1, remaining: 1 });
    await work();
    expect(site.requests).toEqual(['/ok']);
  });

  test('clears results of URLs that have become URLs of this platform', async () => {
    const space = await contents.aSpace();
    await contents.edit(space, insert('A', '[own](http://octavo.test/x)'));
    await app.sql(
      `update link_targets set broken = true, problem = '404 Not Found', checked_at = now() where space_id = $1`,
      [idOf(space)],
    );
    await request(space);
    await work();
    expect(await results(space)).toEqual(['http://octavo.test/x in-app ?']);
    expect((await contents.get(`${space}/links`)).stats.broken.total).toBe(0);
  });

  test('of hostile URLs connects to nothing', async () => {
    const space = await contents.aSpace();
    const urls = HOSTILE_URLS.map((url) => url.replaceAll('PORT', String(site.port)));
    const spelled = urls.map((url) => `[x](<${url.replace(/[\0<>\n\\]/g, '')}>)`);
    await contents.edit(space, insert('A', spelled.join('\n\n')));
    const { total } = await request(space);
    expect(total).toBeGreaterThan(150);
    const dialled: string[] = [];
    const outbound = createOutbound({
      allow: [`elsewhere.example:${site.port}`],
      ownAddresses: [],
      resolve: (hostname) => Promise.resolve(RECORDS[hostname] ?? []),
      dial: (address) => {
        dialled.push(address);
        throw new Error('dialled');
      },
    });
    await checkNext({ ...jobContext(), outbound }, { signal: never, pauseMs: 0 });
    expect(dialled).toEqual([]);
    expect(await request(space)).toMatchObject({ total });
    const others = await app.sql(
      `select url, problem from link_targets where space_id = $1 and checked_at is not null
        and (broken or problem is null or problem not like 'Not checked: %')`,
      [idOf(space)],
    );
    expect(others).toEqual([]);
  });
});

test('the job is scheduled, so that interrupted checks are found', () => {
  expect(checkExternalLinks.cron).toBe('* * * * *');
});

describe('the report of a check', () => {
  const check = (space: string, signal = never) =>
    checkSpace(jobContext(), idOf(space), { signal, pauseMs: 0, onProgress: () => undefined });

  test('has the problems, broken ones first, with their pages', async () => {
    const space = await contents.aSpace();
    const ids = idsOf(
      await contents.edit(
        space,
        insert('A', linkTo('/missing', '/ok')),
        insert('B', linkTo('/missing#x', '/error')),
      ),
    );
    expect(await check(space)).toEqual({
      isComplete: true,
      total: 3,
      checked: 3,
      broken: 1,
      problems: [
        {
          url: `${site.url}/missing`,
          status: 'broken',
          problem: '404 Not Found',
          pageCount: 2,
          pages: expect.arrayContaining([
            { id: ids[0], title: 'A', path: 'a' },
            { id: ids[1], title: 'B', path: 'b' },
          ]),
        },
        {
          url: `${site.url}/error`,
          status: 'ok',
          problem: '500 Internal Server Error',
          pageCount: 1,
          pages: [{ id: ids[1], title: 'B', path: 'b' }],
        },
      ],
    });
    expect(await check(space)).toMatchObject({ total: 3, checked: 2, broken: 1 });
  });

  test('says when another process is checking', async () => {
    const space = await aSpaceWith('/ok');
    await app.sql(
      `update link_indexes set checking_until = now() + interval '1 minute' where space_id = $1`,
      [idOf(space)],
    );
    expect(await check(space)).toBe('running');
    expect(await check(await contents.aSpace())).toMatchObject({ isComplete: true, total: 0 });
  });
});
