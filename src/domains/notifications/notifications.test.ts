import { beforeAll, describe, expect, test } from 'vitest';
import {
  mention,
  startNotifications,
  type Notifications,
  type ReadMail,
} from '../../../test/notifications.ts';
import { aMember, type Person } from '../../../test/world.ts';

let all: Notifications;
let space: string;
let editor: Person;
let reviewer: Person;
let admin: Person;

beforeAll(async () => {
  all = await startNotifications();
  ({ admin } = all.side);
  ({ edit: editor, review: reviewer } = all.side.people);
  space = await all.contents.aSpace();
  await all.send();
});

const to = (mails: readonly ReadMail[], { email }: Person) => mails.filter((mail) => mail.to === email);
const recipients = (mails: readonly ReadMail[]) => mails.map((mail) => mail.to).toSorted();
const emails = (...people: readonly Person[]) => people.map(({ email }) => email).toSorted();
const aRequest = (author = editor, subject?: string) => all.aRequest(space, author, subject);
const comment = async (by: Person, place: string, markdown: string) =>
  `${place}/comments/${(await all.as(by, 'POST', `${place}/comments`, { body: { markdown } })).body.id}`;
const reply = (by: Person, thread: string, markdown: string) =>
  all.as(by, 'POST', `${thread}/replies`, { body: { markdown } });
const askFor = (request: string, ...users: readonly Person[]) =>
  all.as(editor, 'POST', `${request}/requested-reviewers`, { users: users.map(({ id }) => id) });

describe('a mail is sent', () => {
  test('to those whose review is requested, and not to who requests it', async () => {
    const request = await aRequest(editor, 'Explain limits');
    await askFor(request, reviewer, admin, editor);
    const mails = await all.send();
    expect(recipients(mails)).toEqual(emails(reviewer, admin));
    const [mail] = to(mails, reviewer);
    expect(mail?.subject).toBe('[Guide] Explain limits (#1)');
    for (const body of [mail?.text, mail?.html]) {
      expect(body).toContain('alpha-edit asked you to review change request #1 “Explain limits”.');
      expect(body).toContain(`http://octavo.test/app${request.slice(3)}`);
      expect(body).toContain('because your review is requested.');
    }
  });

  test('to the author and to who requested it, of a review, with its comment', async () => {
    const request = await aRequest();
    await all.as(admin, 'POST', `${request}/requested-reviewers`, { users: [reviewer.id] });
    await all.send();
    await all.as(reviewer, 'POST', `${request}/reviews`, {
      status: 'changes-requested',
      comment: { markdown: 'Please *shorten* this.' },
    });
    const mails = await all.send();
    expect(recipients(mails)).toEqual(emails(editor, admin));
    for (const { text, html } of mails)
      for (const body of [text, html]) {
        expect(body).toMatch(/alpha-review requested changes to change request #\d+ “Fix the guide”\./);
        expect(body).toContain('Please shorten this.');
      }
  });

  test('to those whom a comment mentions, by name, once also after an edit', async () => {
    const { read, comment: commenter } = all.side.people;
    const thread = await comment(editor, space, `Look, ${mention(read)} and ${mention(editor)}!`);
    const mails = await all.send();
    expect(recipients(mails)).toEqual(emails(read));
    expect(mails[0]?.text).toContain('alpha-edit mentioned you in a comment on “Guide”.');
    expect(mails[0]?.text).toContain('> Look, @alpha-read and @alpha-edit!');
    await all.as(editor, 'PUT', thread, {
      body: { markdown: `Look, ${mention(read)} and ${mention(commenter)}!` },
    });
    expect(recipients(await all.send())).toEqual(emails(commenter));
  });

  test('to the participants of a thread, of a reply', async () => {
    const { read, comment: commenter } = all.side.people;
    const thread = await comment(editor, space, 'Is this so?');
    await reply(commenter, thread, `Ask ${mention(read)}.`);
    const first = await all.send();
    expect(recipients(first)).toEqual(emails(editor, read));
    await reply(reviewer, thread, 'It is.');
    const second = await all.send();
    expect(recipients(second)).toEqual(emails(editor, commenter));
    // One conversation.
    const ids = [...to(first, editor), ...to(second, editor)];
    expect(new Set(ids.map(({ subject }) => subject))).toEqual(new Set(['[Guide] Comment on “Guide”']));
    expect(new Set(ids.map((mail) => mail.header('references'))).size).toBe(1);
    expect(ids[0]?.header('in-reply-to')).toMatch(/^<comment\.\w+@octavo\.test>$/);
    expect(new Set(ids.map((mail) => mail.header('message-id'))).size).toBe(2);
  });

  test('to the author of a change request, of a comment on it', async () => {
    const request = await aRequest();
    await comment(reviewer, request, 'A typo in the first line.');
    const mails = await all.send();
    expect(recipients(mails)).toEqual(emails(editor));
    expect(mails[0]?.text).toContain('> A typo in the first line.');
    expect(mails[0]?.text).toContain('because you created the change request.');
  });

  test('to the author and the reviewers of a merged change request', async () => {
    const request = await aRequest();
    await askFor(request, reviewer);
    await all.as(all.side.people.create, 'POST', `${request}/reviews`, { status: 'approved' });
    await all.send();
    await all.as(admin, 'POST', `${request}/merge`);
    const mails = await all.send();
    expect(recipients(mails)).toEqual(emails(editor, reviewer, all.side.people.create));
    expect(mails[0]?.text).toMatch(/alpha-admin merged change request #\d+ “Fix the guide”\./);
  });
});

describe('no mail is sent', () => {
  test('about what is resolved, deleted, withdrawn or archived before', async () => {
    const [resolved, deleted] = [
      await comment(editor, space, `One ${mention(reviewer)}`),
      await comment(editor, space, `Two ${mention(reviewer)}`),
    ];
    const request = await aRequest();
    await askFor(request, reviewer);
    await all.app.tellReaders();
    await all.as(editor, 'PUT', resolved, { resolved: true });
    await all.as(editor, 'DELETE', deleted);
    await all.as(editor, 'PATCH', request, { status: 'archived' });
    expect(await all.send()).toEqual([]);
  });

  test('to people without access, at the event or when it is sent', async () => {
    const outsider = await aMember(all.app, all.side.organizationId, null, 'outsider');
    const leaving = await aMember(all.app, all.side.organizationId, 'read', 'leaving');
    const disabled = await aMember(all.app, all.side.organizationId, 'read', 'disabled');
    const unproven = await aMember(all.app, all.side.organizationId, 'read', 'unproven');
    await all.app.sql('update users set email_proven_at = null where id = $1', [unproven.id]);
    await comment(editor, space, [outsider, leaving, disabled, unproven].map(mention).join(' '));
    await all.app.tellReaders();
    const rows = await all.app.sql('select user_id from notifications where ended_at is null order by 1');
    expect(rows.map((row) => row['user_id'])).toEqual([leaving.id, disabled.id].toSorted());
    await all.as(admin, 'DELETE', `/v1/orgs/${all.side.organizationId}/members/${leaving.id}`);
    await all.app.sql('update users set disabled_at = now() where id = $1', [disabled.id]);
    expect(await all.send()).toEqual([]);
  });

  test('about a space that is deleted, or whose access was removed', async () => {
    const secret = await all.contents.aSpace();
    const { read } = all.side.people;
    await comment(admin, secret, `Look ${mention(read)} ${mention(reviewer)}`);
    await all.app.tellReaders();
    await all.app.sql('update spaces set default_inherits = false, default_level = null where id = $1', [
      secret.split('/').at(-1),
    ]);
    expect(await all.send()).toEqual([]);
    const gone = await all.contents.aSpace();
    await comment(admin, gone, `Look ${mention(read)}`);
    await all.app.tellReaders();
    await all.as(admin, 'DELETE', gone);
    expect(await all.send()).toEqual([]);
  });

  test('to more than the first of a thousand people whom a comment mentions', async () => {
    const crowd = Array.from({ length: 1000 }, (_each, n) => `crowd${n}`);
    await all.app.sql(
      `insert into users (id, display_name, email, email_proven_at)
       select id, id, id || '@crowd.example', now() from unnest($1::text[]) id`,
      [crowd],
    );
    await all.app.sql(
      `insert into members (organization_id, user_id, role) select $1, id, 'read' from unnest($2::text[]) id`,
      [all.side.organizationId, crowd],
    );
    await comment(
      editor,
      space,
      crowd
        .map((id) => `[u](octavo:user/${id} "mention")`)
        .join(' ')
        .slice(0, 99_000),
    );
    await all.app.tellReaders();
    const [row] = await all.app.sql(`select count(*)::int as n from notifications where ended_at is null`);
    expect(row?.['n']).toBe(50);
    await all.app.sql(`delete from users where id like 'crowd%'`);
  });
});

describe('a burst', () => {
  test('is one mail, about several conversations', async () => {
    const { read } = all.side.people;
    for (const text of ['First', 'Second', 'Third']) await comment(editor, space, `${text} ${mention(read)}`);
    const [mail, ...others] = await all.send();
    expect(others).toEqual([]);
    expect(mail?.subject).toBe('3 notifications from Octavo');
    expect(mail?.header('references')).toBe('');
    for (const text of ['First', 'Second', 'Third']) expect(mail?.text).toContain(`> ${text} @alpha-read`);
  });

  test('is due when its first notification is, and beyond the limit only counted', async () => {
    const { comment: commenter } = all.side.people;
    const thread = await comment(commenter, space, 'How is this?');
    for (let n = 0; n < 105; n++) await reply(editor, thread, `Answer ${n}`);
    await all.app.tellReaders();
    const waiting = await all.app.sql(
      'select more, due_at from notifications where user_id = $1 and ended_at is null',
      [commenter.id],
    );
    expect(waiting.length).toBeLessThanOrEqual(100);
    expect(new Set(waiting.map((row) => String(row['due_at']))).size).toBe(1);
    expect(waiting.length + waiting.reduce((sum, row) => sum + Number(row['more']), 0)).toBe(105);
    const [mail] = await all.send();
    expect(mail?.subject).toBe('105 notifications from Octavo');
    expect(mail?.text).toContain('… and 75 more.');
  });
});

test('hostile names and texts are inert', async () => {
  const { read } = all.side.people;
  const name = '<img src=x onerror=alert(1)>"; Bcc: victim@evil.example';
  await all.app.sql(`update users set display_name = $2 where id = $1`, [editor.id, name]);
  const request = await aRequest(editor);
  const subject = 'A\r\nBcc: victim@evil.example\r\n\r\n<script>alert(1)</script>\u202Eevil';
  await all.app.sql(`update change_requests set subject = $2 where id = $1`, [
    request.split('/').at(-1),
    subject,
  ]);
  await comment(editor, request, `${mention(read)}\n\n-- \n\n</td><script>alert(2)</script>\u202E`);
  const mails = await all.send();
  expect(recipients(mails)).toEqual(emails(read));
  const raw = all.server.mails.at(-1)?.raw ?? '';
  expect(raw.split('\r\n\r\n', 1)[0]).not.toMatch(/^bcc:/im);
  const { html = '', text = '', subject: shown = '' } = mails[0] ?? {};
  expect(html).not.toMatch(/<(script|img)/i);
  expect(html).toContain('&#60;img src=x');
  expect(shown + text + html).not.toContain('\u202E');
  expect(shown).toContain('A Bcc: victim@evil.example');
  await all.app.sql(`update users set display_name = 'alpha-edit' where id = $1`, [editor.id]);
});
