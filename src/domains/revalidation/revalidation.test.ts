import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../../test/app.ts';
import { insert } from '../../../test/content.ts';
import { jobContext } from '../../../test/import-runs.ts';
import { aPublishedSite, idIn, type PublishedSite } from '../../../test/published-site.ts';
import { expectError } from '../../../test/refusal.ts';
import { aSide, type Side } from '../../../test/world.ts';
import { startWorker } from '../../platform/jobs/worker.ts';
import { revalidateSite } from './jobs.ts';

interface Received {
  readonly path: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

const SECRET = 'a secret of both sides'.replaceAll(' ', '-');

let app: TestApp;
let side: Side;
let renderer: string;
let received: Received[] = [];
let respond: () => number | Promise<number> = () => 200;
/** Requests with these tags that were open at the same time. */
let counted: readonly string[] = [];
let mostOpen = 0;

let open = 0;
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', async () => {
    const text = Buffer.concat(chunks).toString();
    received.push({ path: request.url, headers: request.headers, text });
    if (counted.some((tag) => text.includes(tag))) {
      mostOpen = Math.max(mostOpen, ++open);
      response.on('close', () => open--);
    }
    response.writeHead(await respond(), { location: '/elsewhere' }).end('{}');
  });
});

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  renderer = `http://${host}/~gitbook/revalidate`;
  app = await startApp({ environment: { OCTAVO_OUTBOUND_ALLOW: host } });
  side = await aSide(app, 'alpha');
});

afterAll(() => {
  server.close();
});

beforeEach(() => {
  received = [];
  respond = () => 200;
});

/** The deliveries since the last call, and the jobs that wait for a later time. */
interface Delivered {
  readonly requests: readonly Received[];
  readonly tags: readonly string[];
  readonly later: number;
}

/** Delivers events, and performs the jobs of the site that are due, as a worker does. */
async function deliver(site: PublishedSite): Promise<Delivered> {
  await app.tellReaders();
  const jobs = await app.sql(
    `select key, run_at <= now() as is_due from graphile_worker.jobs
     where task_identifier = 'sites.revalidate' and key = $1`,
    [`revalidate ${site.id}`],
  );
  received = [];
  for (const { key, is_due: isDue } of jobs) {
    if (!isDue) continue;
    await app.sql('select graphile_worker.remove_job($1)', [key]);
    await revalidateSite.run(jobContext(app), { siteId: site.id });
  }
  const tags = received.flatMap(({ text }) => JSON.parse(text).tags as string[]);
  return { requests: received, tags, later: jobs.filter(({ is_due: isDue }) => !isDue).length };
}

const hookOf = ({ site }: PublishedSite) => `${site}/revalidation`;

async function aSiteWithHook(title: string) {
  const site = await aPublishedSite(app, side, { title });
  const { space, siteSpace } = await site.addSpace('Manual');
  await site.contents.edit(space, insert('Welcome', 'Hello.'), insert('Setup', 'Install.'));
  await site.change('PUT', hookOf(site), { url: renderer, secret: SECRET });
  await deliver(site);
  return { site, space, siteSpace };
}

const hmac = (text: string) => createHmac('sha256', SECRET).update(text).digest('hex');

describe('a change of a published site', () => {
  let site: PublishedSite;
  let space: string;
  let siteSpace: string;

  beforeAll(async () => {
    ({ site, space, siteSpace } = await aSiteWithHook('Changing'));
  });

  const spaces = () => `/v1/orgs/${side.organizationId}/spaces`;
  const merge = async () => {
    const { id } = await site.change('POST', `${space}/change-requests`, { subject: 'Proposed' });
    const request = `${space}/change-requests/${id}`;
    await site.contents.edit(request, insert('Proposed', 'New.'));
    await site.change('PATCH', request, { status: 'open' });
    await app.tellReaders();
    expect((await deliver(site)).requests).toEqual([]);
    await site.change('POST', `${request}/merge`);
  };
  const addSection = async () => {
    const { id } = await site.change('POST', spaces(), { title: 'Section' });
    await site.change('POST', `${site.site}/sections`, { spaceId: id, title: 'Second' });
  };
  const redirect = async () => {
    const destination = { kind: 'site-space', siteSpaceId: siteSpace };
    await site.change('POST', `${site.site}/redirects`, { source: '/old', destination });
  };

  test.each<[string, () => Promise<unknown>, boolean]>([
    ['an edit', () => site.contents.edit(space, insert('More', 'Text.')), true],
    ['a merge', merge, true],
    ['the title of a space', () => site.change('PATCH', space, { title: 'Handbook' }), true],
    [
      'the customization',
      () => site.change('PUT', `${site.site}/customization`, { title: 'Renamed' }),
      false,
    ],
    ['the structure', addSection, false],
    ['a redirect', redirect, false],
    ['unpublishing', () => site.change('POST', `${site.site}/unpublish`), false],
    ['publishing', () => site.change('POST', `${site.site}/publish`), false],
  ])('is sent, signed: %s', async (_name, change, isOfSpace) => {
    await change();
    const { requests, tags } = await deliver(site);
    expect(requests).toHaveLength(1);
    const [{ path, headers, text }] = requests as [Received];
    expect(path).toBe('/~gitbook/revalidate');
    expect(headers['content-type']).toBe('application/json');
    expect(headers['x-gitbook-signature']).toBe(hmac(text));
    const [, time, signature] =
      /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['x-octavo-signature'])) ?? [];
    expect(signature).toBe(hmac(`${time}.${text}`));
    expect(Math.abs(Number(time) - Date.now() / 1000)).toBeLessThan(600);
    expect(tags).toContain(`site:${site.id}`);
    expect(tags.includes(`space:${idIn(space)}`)).toBe(isOfSpace);
    expect((await deliver(site)).requests).toEqual([]);
  });

  test('names the tags of the answers that renderers keep', async () => {
    const url = `http://octavo.test/${site.basename}/`;
    const { body } = await app.call('POST', '/v1/urls/published', { body: { url } });
    const get = (path: string) => app.call('GET', path, { token: body.apiToken });
    const { revision } = (await get(space)).body;
    const kept = [];
    for (const path of [
      space,
      `${space}/revisions/${revision}`,
      `${space}/content/pages`,
      `${site.site}/published`,
    ])
      kept.push((await get(path)).headers['x-gitbook-cache-tag']?.split(',') ?? []);
    await site.contents.edit(space, insert('Later', 'Text.'));
    const { tags } = await deliver(site);
    for (const ofAnswer of kept) {
      expect(ofAnswer.length).toBeGreaterThan(0);
      expect(tags).toEqual(expect.arrayContaining(ofAnswer));
    }
  });

  test('is one request with all that changed, however many changes there were', async () => {
    for (let count = 0; count < 5; count++) await site.contents.edit(space, insert(`Page ${count}`, 'Text.'));
    await site.change('PUT', `${site.site}/customization`, { title: 'Again' });
    const { requests, tags } = await deliver(site);
    expect(requests).toHaveLength(1);
    expect(new Set(tags).size).toBe(tags.length);
    // One event of a transaction, whatever it changes.
    await app.sql(`begin; update sites set version = version + 1 where id = '${site.id}';
      update sites set version = version + 1 where id = '${site.id}'; commit`);
    const [{ count } = { count: 0 }] = await app.sql(
      `select count(*)::int from events where type = 'site_changed' and sequence is null`,
    );
    expect(count).toBe(1);
    await deliver(site);
  });

  test('is not sent for what the site does not show', async () => {
    const { id } = await site.change('POST', spaces(), { title: 'Elsewhere', editMode: 'live' });
    await site.contents.edit(`/v1/spaces/${id}`, insert('Page', 'Text.'));
    await site.change('POST', `${site.site}/unpublish`);
    await deliver(site);
    await site.contents.edit(space, insert('Unpublished', 'Text.'));
    await site.change('PUT', `${site.site}/customization`, { title: 'Unpublished' });
    expect((await deliver(site)).requests).toEqual([]);
    await site.change('POST', `${site.site}/publish`);
    await deliver(site);
    await site.change('DELETE', hookOf(site));
    await site.contents.edit(space, insert('Without a hook', 'Text.'));
    expect((await deliver(site)).requests).toEqual([]);
    expect((await site.change('GET', hookOf(site))).url).toBeUndefined();
  });
});

describe('a delivery', () => {
  const shown = async (site: PublishedSite) => site.change('GET', hookOf(site));
  const edit = (site: PublishedSite, space: string) => site.contents.edit(space, insert('Edit', 'Text.'));

  /** Makes the next attempt due. */
  const wait = (site: PublishedSite) =>
    app.sql(`update graphile_worker._private_jobs set run_at = now() where key = $1`, [
      `revalidate ${site.id}`,
    ]);

  test('that fails is repeated, at ever longer intervals, and then ends until there is a new change', async () => {
    const { site, space } = await aSiteWithHook('Failing');
    respond = () => 503;
    await edit(site, space);
    const pauses: number[] = [];
    for (let attempt = 1; attempt <= 8; attempt++) {
      expect((await deliver(site)).requests).toHaveLength(1);
      const { pending, lastAttempt } = await shown(site);
      expect(pending).toBe(true);
      expect(lastAttempt).toMatchObject({ status: 503 });
      // Not before its time.
      const { requests, later } = await deliver(site);
      expect([requests.length, later]).toEqual([0, attempt < 8 ? 1 : 0]);
      const [job] = await app.sql(
        `select extract(epoch from run_at - now())::float as pause from graphile_worker.jobs where key = $1`,
        [`revalidate ${site.id}`],
      );
      if (job) pauses.push(Number(job['pause']));
      await wait(site);
    }
    expect(pauses).toHaveLength(7);
    for (const [at, pause] of pauses.slice(1).entries()) expect(pause).toBeGreaterThan(2 * (pauses[at] ?? 0));
    respond = () => 204;
    await site.change('PATCH', space, { title: 'Handbook' });
    expect((await deliver(site)).tags).toEqual([`site:${site.id}`, `space:${idIn(space)}`]);
    expect(await shown(site)).toMatchObject({ pending: false, lastAttempt: { status: 204 } });
  });

  test('does not end a change that happens meanwhile', async () => {
    const { site, space } = await aSiteWithHook('Busy');
    const { space: other } = await site.addSpace('Other');
    await deliver(site);
    await edit(site, space);
    respond = async () => {
      await edit(site, other);
      await app.tellReaders();
      return 200;
    };
    expect((await deliver(site)).tags).not.toContain(`space:${idIn(other)}`);
    expect(await shown(site)).toMatchObject({ pending: true });
    respond = () => 200;
    expect((await deliver(site)).tags).toContain(`space:${idIn(other)}`);
    expect(await shown(site)).toMatchObject({ pending: false });
  });

  test('follows no redirect, and reaches no private address', async () => {
    const { site, space } = await aSiteWithHook('Redirected');
    respond = () => 307;
    await edit(site, space);
    expect((await deliver(site)).requests.map(({ path }) => path)).toEqual(['/~gitbook/revalidate']);
    expect((await shown(site)).pending).toBe(true);
    respond = () => 200;
    for (const url of [
      'http://127.0.0.1:9/',
      'http://169.254.169.254/latest',
      'http://[::1]/',
      'http://10.0.0.1/',
    ]) {
      await site.change('PUT', hookOf(site), { url });
      expect((await deliver(site)).requests).toEqual([]);
      expect((await shown(site)).lastAttempt.error).toMatch(/not a public address/);
    }
  });

  test('to a server that never answers does not delay another organization, nor takes more than one place', async () => {
    const other = await aSide(app, 'beta');
    const hanging = [await aSiteWithHook('Hanging'), await aSiteWithHook('Hanging, too')];
    const quick = await aPublishedSite(app, other, { title: 'Quick' });
    counted = hanging.map(({ site }) => `site:${site.id}`);
    let release: (status: number) => void = () => undefined;
    const released = new Promise<number>((resolve) => (release = resolve));
    const isHanging = ({ text }: Received) => counted.some((tag) => text.includes(tag));
    respond = () => (received.slice(-1).some(isHanging) ? released : 200);
    received = [];
    for (const { site, space } of hanging) await edit(site, space);
    await app.tellReaders();
    const worker = await startWorker(app.app.installation.connection.pool, [revalidateSite], jobContext(app));
    try {
      await expect.poll(() => received.some(isHanging), { timeout: 120_000 }).toBe(true);
      await quick.change('PUT', hookOf(quick), { url: renderer, secret: SECRET });
      const wasDelivered = async () => !(await shown(quick)).pending;
      await expect.poll(wasDelivered, { timeout: 120_000 }).toBe(true);
      release(200);
      for (const { site } of hanging)
        await expect.poll(async () => (await shown(site)).pending, { timeout: 120_000 }).toBe(false);
    } finally {
      release(200);
      await worker.stop();
    }
    expect(mostOpen).toBe(1);
  });

  test('is performed by the worker', async () => {
    const { site, space } = await aSiteWithHook('Worked');
    received = [];
    const asked = new Promise<void>((resolve) => {
      respond = () => {
        resolve();
        return 200;
      };
    });
    const worker = await startWorker(app.app.installation.connection.pool, [revalidateSite], jobContext(app));
    try {
      await edit(site, space);
      await app.tellReaders();
      await asked;
      await expect.poll(async () => (await shown(site)).pending).toBe(false);
    } finally {
      await worker.stop();
    }
    expect(received.map(({ text }) => JSON.parse(text).tags)).toEqual([
      [`site:${site.id}`, `space:${idIn(space)}`],
    ]);
  });
});

describe('the hook', () => {
  test('has a secret that is shown once', async () => {
    const site = await aPublishedSite(app, side, { title: 'Secret' });
    expect(await site.change('GET', hookOf(site))).toEqual({ object: 'site-revalidation', pending: false });
    const created = await site.change('PUT', hookOf(site), { url: renderer });
    expect(created.secret).toMatch(/^[\w-]{43}$/);
    expect(await site.change('GET', hookOf(site))).not.toHaveProperty('secret');
    // Kept, and never returned again.
    expect(await site.change('PUT', hookOf(site), { url: renderer })).not.toHaveProperty('secret');
    const [{ text, headers } = { text: '', headers: {} }] = (await deliver(site)).requests;
    const expected = createHmac('sha256', created.secret).update(text).digest('hex');
    expect((headers as IncomingHttpHeaders)['x-gitbook-signature']).toBe(expected);
    expect(await site.change('PUT', hookOf(site), { url: renderer, secret: SECRET })).not.toHaveProperty(
      'secret',
    );
    const rows = await app.sql('select * from site_revalidations where site_id = $1', [site.id]);
    expect(JSON.stringify(rows)).not.toContain(SECRET);
    expect(Buffer.concat(rows.map((row) => row['secret_sealed'] as Buffer)).includes(SECRET)).toBe(false);
  });

  test('has a URL of the web, and a secret that is not short', async () => {
    const site = await aPublishedSite(app, side, { title: 'Malformed' });
    for (const body of [
      {},
      { url: '' },
      { url: 'renderer.example' },
      { url: 'javascript:alert(1)' },
      { url: renderer, secret: 'short' },
      { url: renderer, secret: 'with a line break\n' },
      { url: `https://renderer.example/${'x'.repeat(2100)}` },
    ])
      expectError(await site.contents.call('PUT', hookOf(site), body), 400);
  });
});
