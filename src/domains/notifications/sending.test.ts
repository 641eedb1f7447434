import { pino } from 'pino';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startApp } from '../../../test/app.ts';
import { jobContext } from '../../../test/import-runs.ts';
import {
  mention,
  startNotifications,
  type Notifications,
  type ReadMail,
} from '../../../test/notifications.ts';
import { expectError } from '../../../test/refusal.ts';
import { aMember, aSide, type Person } from '../../../test/world.ts';
import { startJobs } from '../../app.ts';
import { purgeNotifications, sendNotifications } from './jobs.ts';

let all: Notifications;
let space: string;
let editor: Person;
let person: Person;
let other: Person;

const SETTINGS = '/v1/user/notification-settings';
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

beforeAll(async () => {
  all = await startNotifications();
  editor = all.side.people.edit;
  space = await all.contents.aSpace();
  const { organizationId } = all.side;
  person = await aMember(all.app, organizationId, 'read', 'person');
  other = await aMember(all.app, organizationId, 'read', 'other');
  await all.send();
});

afterEach(async () => {
  all.server.refusals = 0;
  all.server.unknown.clear();
  all.server.meanwhile = () => Promise.resolve();
  await all.app.sql('delete from notifications');
  await all.app.sql('delete from notification_settings');
});

const tell = (...people: readonly Person[]) =>
  all.as(editor, 'POST', `${space}/comments`, {
    body: { markdown: `Look ${people.map(mention).join(' ')}` },
  });
const outcomes = async (of: Person) =>
  (
    await all.app.sql(
      'select outcome, attempts, due_at > now() as later from notifications where user_id = $1 order by id',
      [of.id],
    )
  ).map((row) => [row['outcome'], row['attempts'], row['later']]);
const recipients = (mails: readonly ReadMail[]) => mails.map(({ to }) => to);
const settingsOf = async ({ token }: Person) => (await all.app.call('GET', SETTINGS, { token })).body;
const set = (of: Person, body: unknown) => all.as(of, 'PATCH', SETTINGS, body);
const stopLink = ({ header }: ReadMail) =>
  /^<http:\/\/octavo\.test(\/notifications\/[\w.-]+)>$/.exec(header('list-unsubscribe'))?.[1] ?? '';

describe('settings', () => {
  test('are instant and complete by default, and changed in part', async () => {
    const kinds = (await settingsOf(person)).kinds;
    expect(await settingsOf(person)).toMatchObject({ object: 'notification-settings', delivery: 'instant' });
    expect(new Set(Object.values(kinds))).toEqual(new Set([true]));
    const { body } = await set(person, { kinds: { mentioned: false } });
    expect(body.kinds).toEqual({ ...kinds, mentioned: false });
    await set(person, { delivery: 'daily' });
    expect(await settingsOf(person)).toMatchObject({ delivery: 'daily', kinds: { mentioned: false } });
    await set(person, { kinds: { mentioned: true } });
    expect((await settingsOf(person)).kinds).toEqual(kinds);
    expect(await settingsOf(other)).toMatchObject({ delivery: 'instant' });
    for (const body of [{ delivery: 'weekly' }, { kinds: { mentioned: 'no' } }, { kinds: [] }])
      expectError(await all.app.call('PATCH', SETTINGS, { token: person.token, body }), 400);
  });

  test('turn off one kind, or all mail, also of what waits', async () => {
    await set(person, { kinds: { mentioned: false } });
    await set(other, { delivery: 'off' });
    await tell(person, other);
    expect(await all.send()).toEqual([]);
    await set(person, { kinds: { mentioned: true } });
    await set(other, { delivery: 'instant' });
    await tell(person, other);
    await all.app.tellReaders();
    await set(person, { kinds: { mentioned: false } });
    await set(other, { delivery: 'off' });
    expect(await all.send()).toEqual([]);
    expect(await outcomes(person)).toEqual([['dropped', 1, true]]);
  });

  test('deliver at the full hour or once a day, and at once when that is changed', async () => {
    const dueOf = async ({ id }: Person) =>
      (
        await all.app.sql(
          `select n.due_at - now() < interval '2 minutes' as soon,
             extract(epoch from n.due_at - date_trunc('hour', n.due_at)) < 300 as sharp,
             extract(hour from n.due_at at time zone 'UTC')::int as hour, j.run_at > n.due_at and j.run_at < n.due_at + interval '2 ms' as scheduled
           from notifications n, graphile_worker.jobs j
           where n.user_id = $1 and n.ended_at is null and j.key = 'notify ' || n.user_id`,
          [id],
        )
      )[0];
    await set(person, { delivery: 'daily' });
    await set(other, { delivery: 'hourly' });
    await tell(person, other);
    await all.app.tellReaders();
    expect(await dueOf(person)).toMatchObject({ soon: false, sharp: true, hour: 7, scheduled: true });
    expect(await dueOf(other)).toMatchObject({ sharp: true, scheduled: true });
    await set(person, { delivery: 'instant' });
    expect(await dueOf(person)).toMatchObject({ soon: true, scheduled: true });
  });
});

describe('the link to unsubscribe', () => {
  test('changes nothing when it is opened, and turns the kind off when it is posted', async () => {
    await tell(person);
    const [mail] = await all.send();
    if (!mail) throw new Error('no mail');
    expect(mail.header('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
    const link = stopLink(mail);
    for (const body of [mail.text, mail.html]) expect(body).toContain(link);
    const shown = await all.app.call('GET', link);
    expect(shown.status).toBe(200);
    expect(shown.text).toContain('<form method="post">');
    await all.app.call('HEAD', link);
    expect((await settingsOf(person)).kinds.mentioned).toBe(true);
    const posted = await all.app.call('POST', link, { raw: 'List-Unsubscribe=One-Click', headers: FORM });
    expect(posted.status, posted.text).toBe(200);
    const { kinds, delivery } = await settingsOf(person);
    expect(kinds).toMatchObject({ mentioned: false, commentReplied: true });
    expect(delivery).toBe('instant');
    // Again, and as the other content type that RFC 8058 allows.
    const boundary =
      '--b\r\ncontent-disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--b--\r\n';
    const headers = { 'content-type': 'multipart/form-data; boundary=b' };
    expect((await all.app.call('POST', link, { raw: boundary, headers })).status).toBe(200);
    await tell(person);
    expect(await all.send()).toEqual([]);
  });

  test('is refused with a forged signature, other kinds or another user', async () => {
    await tell(person);
    const [mail] = await all.send();
    if (!mail) throw new Error('no mail');
    const [userId = '', kind = '', signature = ''] = stopLink(mail).split('/').at(-1)?.split('.') ?? [];
    for (const code of [
      `${other.id}.${kind}.${signature}`,
      `${userId}.${kind}.commentReplied.${signature}`,
      `${userId}.commentReplied.${signature}`,
      `${userId}.${kind}.${signature.slice(1)}A`,
      `${userId}.${kind}`,
      `${userId}.${signature}`,
      userId,
      '.',
      '%00',
    ]) {
      const path = `/notifications/${code}`;
      for (const method of ['GET', 'POST'])
        expect((await all.app.call(method, path, { raw: '', headers: FORM })).status, code).toBeLessThan(500);
      expect((await all.app.call('POST', path, { raw: '', headers: FORM })).status).toBeGreaterThanOrEqual(
        400,
      );
    }
    for (const each of [person, other])
      expect(new Set(Object.values((await settingsOf(each)).kinds))).toEqual(new Set([true]));
  });
});

describe('a mail server', () => {
  test('that refuses one recipient delays only their mails, and is given up after a day', async () => {
    all.server.unknown.add(person.email);
    await tell(person, other);
    expect(recipients(await all.send())).toEqual([other.email]);
    expect(await outcomes(person)).toEqual([[null, 1, true]]);
    expect(await outcomes(other)).toEqual([['sent', 1, true]]);
    for (let attempt = 2; attempt <= 7; attempt++) {
      expect(await all.send()).toEqual([]);
      expect(await outcomes(person)).toEqual([[attempt < 7 ? null : 'failed', attempt, true]]);
    }
    all.server.unknown.clear();
    await tell(person);
    const mails = await all.send();
    expect(recipients(mails)).toEqual([person.email]);
    expect(mails[0]?.subject).not.toContain('2 notifications');
  });

  test('that fails gets the same mail again, with the same message id, beside newer ones', async () => {
    all.server.refusals = 1;
    await tell(person);
    expect(await all.send()).toEqual([]);
    const [row] = await all.app.sql('select batch_id from notifications where user_id = $1', [person.id]);
    await tell(person);
    const mails = await all.send();
    expect(recipients(mails)).toEqual([person.email, person.email]);
    const ids = mails.map((mail) => mail.header('message-id'));
    expect(ids).toContain(`<${String(row?.['batch_id'])}.notification@octavo.test>`);
    expect(new Set(ids).size).toBe(2);
    expect(await all.send()).toEqual([]);
  });

  test('that is slow holds no transaction', async () => {
    let open: unknown;
    all.server.meanwhile = async () => {
      open = await all.app.sql(
        `select query from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`,
      );
    };
    await tell(person);
    expect(await all.send()).toHaveLength(1);
    expect(open).toEqual([]);
  });

  test('gets a mail again if the process ends before it is noted as sent', async () => {
    await tell(person);
    all.server.meanwhile = async () => {
      await all.app.sql('alter table notifications rename to elsewhere');
    };
    await all.app.tellReaders();
    await all.app.sql('update notifications set due_at = now()');
    const before = all.server.mails.length;
    await sendNotifications.run(jobContext(all.app), { userId: person.id }).catch(() => undefined);
    await all.app.sql('alter table elsewhere rename to notifications');
    all.server.meanwhile = () => Promise.resolve();
    expect(await outcomes(person)).toEqual([[null, 1, true]]);
    const [job] = await all.app.sql(
      `select run_at > now() as later from graphile_worker.jobs where key = $1`,
      [`notify ${person.id}`],
    );
    expect(job).toEqual({ later: true });
    await all.send();
    const ids = all.server.mails.slice(before).map((mail) => /message-id: (.*)/i.exec(mail.raw)?.[1]);
    expect(ids).toHaveLength(2);
    expect(new Set(ids).size).toBe(1);
  });
});

test('the worker sends what is due', async () => {
  const worker = await startJobs(all.app.app.context, all.app.app.installation, pino({ level: 'silent' }));
  const before = all.server.mails.length;
  try {
    await tell(person, other);
    const hurry = async () => {
      await all.app.sql(`update notifications set due_at = now() where ended_at is null and attempts = 0`);
      await all.app.sql(
        `select graphile_worker.reschedule_jobs(array(select id from graphile_worker.jobs
           where key like 'notify %' and run_at > now()), run_at := now())`,
      );
      return all.server.mails.length - before;
    };
    await expect.poll(hurry, { timeout: 120_000 }).toBe(2);
  } finally {
    await worker.stop();
  }
});

test('without a mail server, nothing is stored', async () => {
  const app = await startApp();
  const side = await aSide(app, 'alpha');
  const { body } = await app.call('POST', `/v1/orgs/${side.organizationId}/spaces`, {
    token: side.admin.token,
    body: { title: 'Guide' },
  });
  const answer = await app.call('POST', `/v1/spaces/${body.id}/comments`, {
    token: side.admin.token,
    body: { body: { markdown: mention(side.people.read) } },
  });
  expect(answer.status, answer.text).toBe(200);
  await app.tellReaders();
  expect(await app.sql('select 1 from notifications')).toEqual([]);
});

test('rows are deleted after 90 days', async () => {
  await tell(person, other);
  await all.send();
  await all.app.sql(`update notifications set created_at = now() - interval '91 days' where user_id = $1`, [
    person.id,
  ]);
  await purgeNotifications.run(jobContext(all.app), {});
  expect(await outcomes(person)).toEqual([]);
  expect(await outcomes(other)).toHaveLength(1);
});
