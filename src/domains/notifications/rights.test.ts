import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { insert } from '../../../test/content.ts';
import { mention, startNotifications, type Notifications } from '../../../test/notifications.ts';
import { grantOn, type Person } from '../../../test/world.ts';

/** Whatever happens in whatever order, no mail has a text of a space that its recipient could not read when it was sent. */

let all: Notifications;
let people: Person[];
let spaces: { path: string; request: string; thread: string }[];
let written = 0;

beforeAll(async () => {
  all = await startNotifications();
  const { read, comment, edit, review, guest } = all.side.people;
  people = [read, comment, edit, review, guest];
  spaces = [];
  for (let n = 0; n < 3; n++) {
    const path = await all.contents.aSpace();
    const request = await all.aRequest(path, all.side.admin, `Request in${n}x`);
    const { body } = await all.as(all.side.admin, 'POST', `${path}/comments`, {
      body: { markdown: people.map(mention).join(' ') },
    });
    spaces.push({ path, request, thread: `${path}/comments/${body.id}` });
  }
});

/** The number of the space is part of every text: `in2x`. */
const text = (space: number) => `in${space}x number ${written++} ${people.map(mention).join(' ')}`;
const idIn = (path: string) => path.split('/').at(-1) ?? '';

const numbers = { space: fc.nat({ max: 2 }), person: fc.nat({ max: 4 }) };
const step = fc.oneof(
  fc.record({ kind: fc.constant('comment' as const), ...numbers, onRequest: fc.boolean() }),
  fc.record({ kind: fc.constant('reply' as const), ...numbers }),
  fc.record({ kind: fc.constant('review' as const), ...numbers }),
  fc.record({ kind: fc.constant('level' as const), ...numbers, isOpen: fc.boolean() }),
  fc.record({ kind: fc.constant('grant' as const), ...numbers, isGiven: fc.boolean() }),
  fc.record({ kind: fc.constant('read' as const), ...numbers }),
  fc.record({ kind: fc.constant('send' as const), ...numbers }),
  // What takes a right away between the event and the mail.
  fc.record({ kind: fc.constant('close' as const), ...numbers }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

async function perform(each: Step): Promise<void> {
  const space = spaces[each.space];
  const person = people[each.person];
  if (!space || !person) return;
  const id = idIn(space.path);
  const { admin } = all.side;
  const body = { markdown: text(each.space) };
  switch (each.kind) {
    case 'comment':
      return void (await all.as(admin, 'POST', `${each.onRequest ? space.request : space.path}/comments`, {
        body,
      }));
    case 'reply':
      return void (await all.as(admin, 'POST', `${space.thread}/replies`, { body }));
    case 'review':
      await all.app.sql(`update change_requests set author_id = $2 where id = $1`, [
        idIn(space.request),
        person.id,
      ]);
      return void (await all.as(admin, 'POST', `${space.request}/reviews`, {
        status: 'approved',
        comment: body,
      }));
    case 'level':
      return void (await all.app.sql(
        `update spaces set default_inherits = $2, default_level = null where id = $1`,
        [id, each.isOpen],
      ));
    case 'grant':
      if (each.isGiven) return grantOn(all.app, person, 'read', [id]);
      return void (await all.app.sql('delete from grants where user_id = $1 and space_id = $2', [
        person.id,
        id,
      ]));
    case 'close':
      await all.as(admin, 'POST', `${space.path}/comments`, { body });
      await all.app.tellReaders();
      return perform({ ...each, kind: 'level', isOpen: false });
    case 'read':
      return all.app.tellReaders();
    case 'send':
      return requireReadable();
  }
}

let mailed = 0;

async function requireReadable(): Promise<void> {
  const mails = await all.send();
  mailed += mails.length;
  for (const { to, text: plain, html, subject } of mails) {
    const person = people.find(({ email }) => email === to) ?? all.side.admin;
    for (const [number, { path }] of spaces.entries()) {
      const { status } = await all.app.call('GET', path, { token: person.token });
      if (status === 200) continue;
      for (const part of [subject, plain, html]) {
        expect(part).not.toContain(`in${number}x`);
        expect(part).not.toContain(idIn(path));
      }
    }
  }
}

test('a mail has no text of a space that its recipient may not read', async () => {
  await all.contents.edit(spaces[0]?.path ?? '', insert('Page'));
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 20 }), async (steps) => {
      for (const each of steps) await perform(each);
      await requireReadable();
      await all.app.sql('delete from notifications');
      await all.app.sql('delete from grants');
      await all.app.sql('update spaces set default_inherits = true, default_level = null');
    }),
    { numRuns: 15 },
  );
  expect(mailed).toBeGreaterThan(0);
}, 240_000);
