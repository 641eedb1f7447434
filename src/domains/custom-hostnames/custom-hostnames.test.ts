import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../../test/app.ts';
import { jobContext } from '../../../test/import-runs.ts';
import { startNameServer, type NameServer } from '../../../test/name-server.ts';
import { expectError } from '../../../test/refusal.ts';
import { aSite, type TestSite } from '../../../test/site-settings.ts';
import { aWorld, type Side, type World } from '../../../test/world.ts';
import { checkHostnames } from './jobs.ts';

let app: TestApp;
let world: World;
let names: NameServer;
let mine: TestSite;
let theirs: TestSite;
let hostname: string;
let count = 0;

beforeAll(async () => {
  names = await startNameServer();
  app = await startApp({ environment: { OCTAVO_DNS_SERVERS: names.address } });
  world = await aWorld(app);
});

beforeEach(async () => {
  hostname = `docs${++count}.company.example`;
  mine = await aSite(app, world.a);
  theirs = await aSite(app, world.b);
});

const call = (method: string, side: Side, body?: unknown, name = hostname) =>
  app.call(method, `/v1/custom-hostnames/${name}`, {
    token: side.admin.token,
    ...(body === undefined ? {} : { body }),
  });
const request = (site: TestSite, side: Side, name?: string) =>
  call('PUT', side, { target: { type: 'site', site: site.id } }, name);
const check = (side: Side) => call('PATCH', side);
/** Pages of a host are those of the site with this hostname. */
const servedSite = async () =>
  (await app.sql('select id from sites where hostname = $1', [hostname])).map(({ id }) => id);
const shownHostname = async (site: TestSite, side: Side) =>
  (await app.call('GET', site.path, { token: side.admin.token })).body.hostname;

/** Publishes the TXT records of sites that asked for the hostname. */
async function publish(...values: string[]): Promise<void> {
  names.records.set(`_octavo.${hostname}`, values);
}

describe('a custom hostname', () => {
  test('is active once its TXT record proves it', async () => {
    const requested = await request(mine, world.a);
    expect(requested.status, requested.text).toBe(200);
    expect(requested.body).toEqual({
      object: 'custom-hostname',
      hostname,
      target: { type: 'site', site: mine.id },
      isActive: false,
      status: 'dns_no_cname',
      verification: {
        type: 'TXT',
        name: `_octavo.${hostname}`,
        value: expect.stringMatching(/^octavo-site=[\w-]{43}$/),
      },
      urls: { location: `http://octavo.test/v1/custom-hostnames/${hostname}` },
    });
    expectError(await check(world.a), 400, /no TXT record with the value octavo-site=/);
    expect(await servedSite()).toEqual([]);
    await publish('v=spf1 -all', requested.body.verification.value);
    expect((await check(world.a)).status).toBe(204);
    expect((await call('GET', world.a)).body).toMatchObject({ isActive: true, status: 'live' });
    expect(await servedSite()).toEqual([mine.id]);
    expect(await shownHostname(mine, world.a)).toBe(hostname);
    expect(names.asked).toContain(`_octavo.${hostname}`);
  });

  test('is active at once if the record is there already', async () => {
    const { body } = await request(mine, world.a);
    await call('DELETE', world.a);
    await publish(body.verification.value);
    expect((await request(mine, world.a)).body).toMatchObject({ isActive: true });
  });

  test('the record of another site or hostname proves nothing', async () => {
    const { body: ours } = await request(mine, world.a);
    const { body: other } = await request(theirs, world.b);
    expect(other.verification.value).not.toBe(ours.verification.value);
    await publish(other.verification.value);
    expectError(await check(world.a), 400);
    expect((await request(mine, world.a)).body).toMatchObject({ isActive: false, status: 'dns_wrong_cname' });
    const { body: elsewhere } = await request(mine, world.a, `other-${hostname}`);
    await publish(elsewhere.verification.value);
    expectError(await check(world.a), 400);
    expect(await servedSite()).toEqual([]);
  });

  test('stays with its site while its record is there, and passes on when it is gone', async () => {
    const { body: ours } = await request(mine, world.a);
    await publish(ours.verification.value);
    await check(world.a);
    const { body: other } = await request(theirs, world.b);
    expect(other.isActive).toBe(false);
    await publish(ours.verification.value, other.verification.value);
    const refused = await check(world.b);
    expectError(refused, 409, /in use by another site/);
    expect(refused.text).not.toContain(mine.id);
    expect(await servedSite()).toEqual([mine.id]);
    await publish(other.verification.value);
    expect((await check(world.b)).status).toBe(204);
    expect(await servedSite()).toEqual([theirs.id]);
    expect((await call('GET', world.a)).body).toMatchObject({ isActive: false });
    expect(await shownHostname(mine, world.a)).toBeUndefined();
  });

  test('stays active while its record is missing, and while name servers fail', async () => {
    const { body } = await request(mine, world.a);
    await publish(body.verification.value);
    await check(world.a);
    await publish();
    expect((await check(world.a)).status).toBe(204);
    expect(await servedSite()).toEqual([mine.id]);
    names.records.set(`_octavo.${hostname}`, 2);
    await request(theirs, world.b);
    expectError(await check(world.b), 400, /could not be asked/);
    expect(await servedSite()).toEqual([mine.id]);
  });

  test('that the operator activated is not taken by a record', async () => {
    await request(mine, world.a);
    await app.sql(`update custom_hostnames set proven_by = 'operator' where hostname = $1`, [hostname]);
    const { body } = await request(theirs, world.b);
    await publish(body.verification.value);
    expectError(await check(world.b), 409);
    expect(await servedSite()).toEqual([mine.id]);
  });

  test('replaces the other hostname of its site', async () => {
    const first = hostname;
    const { body: one } = await request(mine, world.a);
    await publish(one.verification.value);
    await check(world.a);
    hostname = `second-${first}`;
    const { body: two } = await request(mine, world.a);
    await publish(two.verification.value);
    expect((await check(world.a)).status).toBe(204);
    expect(await shownHostname(mine, world.a)).toBe(hostname);
    expect((await call('GET', world.a, undefined, first)).body).toMatchObject({ isActive: false });
  });

  test('of two sites that prove it at once, one gets it', async () => {
    const base = hostname;
    for (let round = 0; round < 6; round++) {
      hostname = `round${round}.${base}`;
      const requestBoth = () => Promise.all([request(mine, world.a), request(theirs, world.b)]);
      const requested = await requestBoth();
      await publish(...requested.map(({ body }) => body.verification.value as string));
      // A check of rows that exist, or requests whose rows the other one does not see yet.
      const isRequest = round % 2 === 1;
      if (isRequest) await app.sql('delete from custom_hostnames where hostname = $1', [hostname]);
      const answers = await (isRequest ? requestBoth() : Promise.all([check(world.a), check(world.b)]));
      const statuses = answers.map(({ status }) => status);
      expect(statuses.toSorted()).toEqual([isRequest ? 200 : 204, 409]);
      const active = await app.sql(
        'select site_id from custom_hostnames where hostname = $1 and proven_by is not null',
        [hostname],
      );
      expect(active).toHaveLength(1);
    }
  });

  test('of several that a site proves at once, it gets one', async () => {
    const own = Array.from({ length: 8 }, (_, n) => `own${n}.${hostname}`);
    for (const name of own) {
      const { body } = await request(mine, world.a, name);
      names.records.set(`_octavo.${name}`, [body.verification.value]);
    }
    const answers = await Promise.all(own.map((name) => call('PATCH', world.a, undefined, name)));
    expect(answers.map(({ status }) => status)).toEqual(own.map(() => 204));
    const active = await app.sql(
      'select hostname from custom_hostnames where site_id = $1 and proven_by is not null',
      [mine.id],
    );
    expect(active).toHaveLength(1);
  });

  test('is deleted by its own site alone', async () => {
    const { body } = await request(mine, world.a);
    await publish(body.verification.value);
    await check(world.a);
    for (const method of ['GET', 'PATCH', 'DELETE']) expectError(await call(method, world.b), 404);
    expect((await call('DELETE', world.a)).status).toBe(205);
    expect(await servedSite()).toEqual([]);
    expectError(await call('GET', world.a), 404);
  });

  test('of a deleted site is free', async () => {
    const { body } = await request(mine, world.a);
    await publish(body.verification.value);
    await check(world.a);
    await app.call('DELETE', mine.path, { token: world.a.admin.token });
    expect(await servedSite()).toEqual([]);
  });

  test('needs an admin of the site', async () => {
    expectError(await request(theirs, world.a), 404);
    const target = { type: 'site', site: mine.id };
    const answer = await app.call('PUT', `/v1/custom-hostnames/${hostname}`, {
      token: world.a.people.edit.token,
      body: { target },
    });
    expectError(answer, 404);
  });

  test.each([
    'octavo.test',
    'a.octavo.test',
    'localhost',
    '127.0.0.1',
    '10.0.0.1.',
    'a..example',
    '-a.example',
    'a-.example',
    'a_b.example',
    'exämple.com',
    '*.example.com',
    `${'a'.repeat(64)}.example`,
    `${'a.'.repeat(127)}example`,
    'a.example:80',
    'a.example%2Fx',
    'a.1',
  ])('refuses %s', async (name) => {
    expectError(await request(mine, world.a, encodeURI(name)), 400);
  });

  test('is compared without case', async () => {
    await request(mine, world.a, hostname.toUpperCase());
    expect((await call('GET', world.a, undefined, hostname.toUpperCase())).body).toMatchObject({ hostname });
  });
});

test('a subdomain is the hostname of an organization that the caller belongs to', async () => {
  const subdomain = `company-${world.a.organizationId.slice(0, 6).toLowerCase()}`;
  await app.call('PATCH', `/v1/orgs/${world.a.organizationId}`, {
    token: world.a.admin.token,
    body: { hostname: subdomain },
  });
  const get = (side: Side) => app.call('GET', `/v1/subdomains/${subdomain}`, { token: side.admin.token });
  const target = { type: 'organization', organization: world.a.organizationId };
  expect((await get(world.a)).body).toEqual({ object: 'subdomain', subdomain, target, isActive: false });
  expectError(await get(world.b), 404);
  await app.call('PATCH', `/v1/orgs/${world.a.organizationId}`, {
    token: world.a.admin.token,
    body: { defaultContent: { type: 'site', site: mine.id } },
  });
  await app.call('POST', `${mine.path}/publish`, { token: world.a.admin.token });
  expect((await get(world.a)).body.isActive).toBe(true);
});

describe('a pending hostname', () => {
  const runJob = () => checkHostnames.run(jobContext(app), {});
  /** Makes the next check due. Not at this moment: times are rounded to milliseconds, also up. */
  const makeDue = () => app.sql(`update custom_hostname_checks set next_at = now() - interval '1 second'`);
  const pending = async () =>
    app.sql(
      `select checks, extract(epoch from next_at - now()) as seconds from custom_hostname_checks c
       join custom_hostnames h on h.id = c.custom_hostname_id where hostname = $1`,
      [hostname],
    );
  const asked = () => names.asked.filter((name) => name === `_octavo.${hostname}`).length;

  test('becomes active when its record appears, without a request', async () => {
    const { body } = await request(mine, world.a);
    await makeDue();
    await runJob();
    expect((await call('GET', world.a)).body).toMatchObject({ isActive: false, status: 'dns_no_cname' });
    await publish('another record');
    await makeDue();
    await runJob();
    expect((await call('GET', world.a)).body).toMatchObject({ isActive: false, status: 'dns_wrong_cname' });
    await publish(body.verification.value);
    await makeDue();
    await runJob();
    expect((await call('GET', world.a)).body).toMatchObject({ isActive: true, status: 'live' });
    expect(await servedSite()).toEqual([mine.id]);
    expect(await pending()).toEqual([]);
  });

  test('is checked at growing intervals, at last daily, and not for ever; a new request begins again', async () => {
    await request(mine, world.a);
    const intervals: number[] = [];
    for (let check = 0; check < 14; check++) {
      await makeDue();
      await runJob();
      intervals.push(Math.round(Number((await pending())[0]?.['seconds']) / 60));
    }
    expect(intervals).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 1440, 1440, 1440]);
    // Not due.
    const before = asked();
    await runJob();
    expect(asked()).toBe(before);
    await app.sql('update custom_hostname_checks set checks = 40');
    await makeDue();
    await runJob();
    expect([asked(), await pending()]).toEqual([before, []]);
    await request(mine, world.a);
    expect(await pending()).toMatchObject([{ checks: 0 }]);
  });

  test('does not change the site while nothing changes', async () => {
    await request(mine, world.a);
    const version = () => app.sql('select config_version from sites where id = $1', [mine.id]);
    const before = await version();
    await makeDue();
    await runJob();
    expect(await version()).toEqual(before);
  });

  test('does not replace a hostname that the site got after it was requested', async () => {
    const older = hostname;
    const { body: first } = await request(mine, world.a);
    hostname = `newer-${older}`;
    const { body: second } = await request(mine, world.a);
    await publish(second.verification.value);
    await makeDue();
    await runJob();
    names.records.set(`_octavo.${older}`, [first.verification.value]);
    await makeDue();
    await runJob();
    expect(await shownHostname(mine, world.a)).toBe(hostname);
  });

  test('waits while another site has it, and while name servers fail', async () => {
    const { body: ours } = await request(mine, world.a);
    const { body: other } = await request(theirs, world.b);
    await publish(ours.verification.value, other.verification.value);
    expect((await check(world.a)).status).toBe(204);
    await makeDue();
    await runJob();
    expect(await servedSite()).toEqual([mine.id]);
    names.records.set(`_octavo.${hostname}`, 2);
    await makeDue();
    await runJob();
    expect(await servedSite()).toEqual([mine.id]);
    await publish(other.verification.value);
    await makeDue();
    await runJob();
    expect(await servedSite()).toEqual([theirs.id]);
  });
});
