import { beforeAll, describe, expect, test } from 'vitest';
import { startApp, type Answer, type TestApp } from '../../../test/app.ts';
import { contentsOf, idsOf, insert, type Contents } from '../../../test/content.ts';
import { countLockWaits } from '../../../test/lock-waits.ts';
import { expectError } from '../../../test/refusal.ts';
import { aMember, aSide, grantOn, type Side } from '../../../test/world.ts';

let app: TestApp;
let side: Side;
let contents: Contents;

beforeAll(async () => {
  app = await startApp();
  side = await aSide(app, 'alpha');
  contents = contentsOf(app, side);
});

/** The path of a new change request. */
async function aRequest(space: string, subject = 'Better'): Promise<string> {
  const { status, body, text } = await contents.call('POST', `${space}/change-requests`, { subject });
  expect(status, text).toBe(201);
  return `${space}/change-requests/${body.id}`;
}

const patch = (path: string, body: object) => contents.call('PATCH', path, body);
const merge = (path: string) => contents.call('POST', `${path}/merge`);
const update = (path: string) => contents.call('POST', `${path}/update`);

describe('a change request', () => {
  test('gets the next number and can be read by it', async () => {
    const space = await contents.aSpace('locked');
    const made = await Promise.all(Array.from({ length: 12 }, () => aRequest(space)));
    const rows = await Promise.all(made.map((path) => contents.get(path)));
    expect(rows.map(({ number }) => number).toSorted((a, b) => a - b)).toEqual([
      1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12,
    ]);
    const third = rows.find(({ number }) => number === 3);
    expect((await contents.get(`${space}/change-requests/3`)).id).toBe(third.id);
    for (const number of ['0', '-1', '1000000000', '3.0', 'x']) {
      expectError(await contents.call('GET', `${space}/change-requests/${number}`), 404);
    }
    expect(await contents.get(space)).toMatchObject({
      changeRequests: 12,
      changeRequestsDraft: 12,
      changeRequestsOpen: 0,
    });
  });

  test('changes between draft, open and archived; counts follow', async () => {
    const space = await contents.aSpace();
    const path = await aRequest(space);
    expect(await contents.get(path)).toMatchObject({
      status: 'draft',
      outdated: false,
      comments: 0,
      subject: 'Better',
    });
    expect((await contents.get(`${space}/change-requests`)).count).toBe(0);
    expect((await patch(path, { status: 'open', subject: 'Best' })).body).toMatchObject({
      status: 'open',
      subject: 'Best',
    });
    expect((await contents.get(`${space}/change-requests`)).items).toHaveLength(1);
    expect(await contents.get(space)).toMatchObject({ changeRequestsOpen: 1, changeRequestsDraft: 0 });
    expect((await patch(path, { status: 'archived' })).status).toBe(200);
    expectError(await contents.call('POST', `${path}/content`, { changes: [insert('No')] }), 409);
    expectError(await merge(path), 409);
    expect(await contents.get(space)).toMatchObject({ changeRequests: 1, changeRequestsOpen: 0 });
    expectError(await patch(path, { status: 'merged' }), 400);
    expectError(await patch(path, { subject: 'x'.repeat(101) }), 400);
    expect((await patch(path, { status: 'draft' })).body.status).toBe('draft');
    // Each change of status records an event; a request without effect records none.
    await patch(path, { status: 'draft' });
    const events = await app.sql('select type, data from events where space_id = $1 order by id', [
      space.split('/').at(-1),
    ]);
    const about = { changeRequestId: path.split('/').at(-1), userId: side.admin.id };
    const changed = (from: string, to: string) => ({
      type: 'change_request_status_changed',
      data: { ...about, from, to },
    });
    expect(events).toEqual([
      { type: 'change_request_created', data: about },
      changed('draft', 'open'),
      changed('open', 'archived'),
      changed('archived', 'draft'),
    ]);
  });

  test('has content separate from that of the space', async () => {
    const space = await contents.aSpace();
    const [id = ''] = idsOf(await contents.edit(space, insert('Page', 'Text')));
    const path = await aRequest(space);
    const changes = [
      { operation: 'update_page', page: id, document: { markdown: 'Proposed' } },
      insert('New'),
    ];
    const edited = await contents.call('POST', `${path}/content?compat=false`, { changes });
    expect(edited.status, edited.text).toBe(200);
    expect(edited.body.changeRequest).toMatchObject({
      object: 'change-request',
      revision: edited.body.revision,
    });
    expect((await contents.get(`${path}/content/page/${id}`)).markdown).toBe('Proposed');
    expect((await contents.page(space, id)).markdown).toBe('Text');
    expect((await contents.get(`${path}/content/pages`)).pages).toHaveLength(2);
    const compat = await contents.call('POST', `${path}/content`, { changes: [insert('Another')] });
    expect(compat.body.object).toBe('change-request');
    expect((await contents.get(`${path}/contributors`)).items).toMatchObject([
      { actionType: 'edit', count: 2 },
    ]);
    const { changes: seen } = await contents.get(`${path}/changes`);
    expect(seen.map(({ type }: Answer['body']) => type).toSorted()).toEqual([
      'page_created',
      'page_created',
      'page_edited',
    ]);
    const listed = await contents.get(`${space}/change-requests?status=draft&contributor=${side.admin.id}`);
    expect(listed.items).toHaveLength(1);
    const all = await contents.get(`/v1/orgs/${side.organizationId}/change-requests?status=draft`);
    expect(all.items.map(({ id: each }: Answer['body']) => each)).toContain(path.split('/').at(-1));
  });

  test('is reviewed by members who may read the space; requesting a review opens it', async () => {
    const space = await contents.aSpace();
    const path = await aRequest(space);
    const member = await aMember(app, side.organizationId, 'read');
    const guest = await aMember(app, side.organizationId, null);
    const ask = (users: string[]) => contents.call('POST', `${path}/requested-reviewers`, { users });
    expectError(await ask([guest.id]), 400);
    expectError(await ask(['nobody']), 404);
    const asked = await ask([member.id]);
    expect(asked.body.users).toMatchObject([
      { kind: 'user', user: { id: member.id }, requestedBy: { id: side.admin.id } },
    ]);
    expect((await contents.get(path)).status).toBe('open');
    expect((await contents.get(`${path}/requested-reviewers`)).count).toBe(1);
    expect((await contents.call('DELETE', `${path}/requested-reviewers/${member.id}`)).status).toBe(205);
    expectError(await contents.call('DELETE', `${path}/requested-reviewers/${member.id}`), 404);
  });
});

describe('a merge', () => {
  const isMerge = ({ type }: Answer['body']) => type === 'merge';

  test('combines both sides, once', async () => {
    const space = await contents.aSpace();
    const [one = '', two = ''] = idsOf(
      await contents.edit(space, insert('One', 'A\n\nB\n'), insert('Two', 'C')),
    );
    const path = await aRequest(space);
    const change = (page: string, markdown: string) => ({
      operation: 'update_page',
      page,
      document: { markdown },
    });
    await contents.call('POST', `${path}/content`, { changes: [change(one, 'A changed\n\nB\n')] });
    await contents.edit(space, change(one, 'A\n\nB changed\n'), change(two, 'C changed'));
    expect((await contents.get(path)).outdated).toBe(true);
    const merged = await merge(path);
    expect(merged.body, merged.text).toMatchObject({ result: 'merge' });
    expect((await contents.page(space, one)).markdown).toBe('A changed\n\nB changed\n');
    expect((await contents.page(space, two)).markdown).toBe('C changed');
    expect(await contents.get(path)).toMatchObject({
      status: 'merged',
      revisionMerged: merged.body.revision,
      outdated: false,
    });
    const revision = await contents.get(`${space}/content`);
    expect(revision).toMatchObject({
      id: merged.body.revision,
      type: 'merge',
      mergedFrom: { number: 1, status: 'merged' },
    });
    expect(revision.parents).toHaveLength(2);
    expectError(await merge(path), 409);
    expectError(await patch(path, { status: 'draft' }), 409);
    expect((await contents.get(`${space}/revisions/${revision.id}/changes`)).mergedFrom.number).toBe(1);
  });

  test('happens once, also after the space was restored', async () => {
    const space = await contents.aSpace();
    const before = (await contents.edit(space, insert('Before'))).revision;
    const path = await aRequest(space);
    await contents.call('POST', `${path}/content`, { changes: [insert('Proposed')] });
    expect((await merge(path)).body.result).toBe('merge');
    await contents.call('POST', `${space}/revisions/${before}/restore`);
    const { revision } = await contents.get(space);
    expectError(await merge(path), 409, /is merged/);
    expect((await contents.get(space)).revision).toBe(revision);
    expect((await contents.pages(space)).map(({ title }) => title)).toEqual(['Before']);
  });

  test('happens once of several at the same time', async () => {
    const space = await contents.aSpace();
    const path = await aRequest(space);
    await contents.call('POST', `${path}/content`, { changes: [insert('Proposed')] });
    await contents.edit(space, insert('There'));
    // After an update, a merge is recorded even where it changes nothing.
    await contents.call('POST', `${path}/update`);
    const other = await aRequest(space);
    await contents.call('POST', `${other}/content`, { changes: [insert('Other')] });
    // While the first merge waits for the space, the others become a group: one transaction.
    const { asked } = await app.app.installation.connection.db.transaction().execute(async (db) => {
      await db
        .selectFrom('spaces')
        .where('id', '=', space.split('/').at(-1) ?? '')
        .forUpdate()
        .execute();
      const merging = Promise.all([other, path, path, path].map(merge));
      await expect.poll(() => countLockWaits(app)).toBe(1);
      return { asked: merging };
    });
    const statuses = (await asked).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([200, 200, 409, 409]);
    expect((await contents.get(`${space}/revisions`)).items.filter(isMerge)).toHaveLength(2);
  });

  test('without changes is rejected', async () => {
    const space = await contents.aSpace();
    expectError(await merge(await aRequest(space)), 409);
  });

  test('with conflicts changes nothing; succeeds after update and resolution', async () => {
    const space = await contents.aSpace();
    const [id = ''] = idsOf(await contents.edit(space, insert('Page', 'First\n\nText here\n\nLast\n')));
    const path = await aRequest(space);
    const change = (markdown: string, title: string) => ({
      operation: 'update_page',
      page: id,
      title,
      document: { markdown },
    });
    await contents.call('POST', `${path}/content`, {
      changes: [change('First\n\nTheir words\n\nLast\n', 'Theirs')],
    });
    await contents.edit(space, change('First\n\nOur sentence\n\nLast\n', 'Ours'));
    const before = (await contents.get(space)).revision;
    const refused = await merge(path);
    expect(refused.body, refused.text).toMatchObject({
      result: 'conflicts',
      revision: (await contents.get(path)).revision,
    });
    expect((await contents.get(space)).revision).toBe(before);

    const updated = await update(path);
    expect(updated.body).toMatchObject({ result: 'conflicts' });
    const { items } = await contents.get(`${path}/conflicts`);
    expect(items.map(({ kind }: Answer['body']) => kind).toSorted()).toEqual(['block', 'field']);
    const page = await contents.get(`${path}/content/page/${id}`);
    expect(page).toMatchObject({
      title: 'Theirs',
      markdown: 'First\n\nOur sentence\n\nTheir words\n\nLast\n',
    });
    expect((await merge(path)).body.result).toBe('conflicts');

    const block = items.find(({ kind }: Answer['body']) => kind === 'block');
    const chosen = await contents.call('POST', `${path}/conflicts/${block.id}`, { use: 'proposed' });
    expect(chosen.status, chosen.text).toBe(200);
    expect((await contents.get(`${path}/content/page/${id}`)).markdown).toBe(
      'First\n\nTheir words\n\nLast\n',
    );
    // An edit of the conflicting field resolves the other conflict.
    await contents.call('POST', `${path}/content`, {
      changes: [{ operation: 'update_page', page: id, title: 'Both' }],
    });
    expect((await contents.get(`${path}/conflicts`)).items).toEqual([]);
    expect((await merge(path)).body.result).toBe('merge');
    expect(await contents.page(space, id)).toMatchObject({
      title: 'Both',
      markdown: 'First\n\nTheir words\n\nLast\n',
    });
    expectError(await contents.call('POST', `${path}/conflicts/${block.id}`, { use: 'both' }), 409);
  });

  test('an update without changes returns the same revision', async () => {
    const space = await contents.aSpace();
    const path = await aRequest(space);
    const { revision } = await contents.get(path);
    expect((await update(path)).body).toEqual({ result: 'update', revision });
  });

  test('checks "up to date" against the locked revision of the space', async () => {
    const space = await contents.aSpace();
    const rules = [{ rule: 'require_up_to_date_change_request' }];
    await contents.call('PATCH', space, { mergeRules: { type: 'rules', rules } });
    const before = (await contents.get(space)).revision;
    await contents.edit(space, insert('There'));
    const path = await aRequest(space);
    await contents.call('POST', `${path}/content`, { changes: [insert('Proposed')] });
    // Another transaction holds the lock of the space while the merge waits, and changes its revision.
    const { asked } = await app.app.installation.connection.db.transaction().execute(async (db) => {
      const id = space.split('/').at(-1) ?? '';
      await db.updateTable('spaces').set({ revision_id: before }).where('id', '=', id).execute();
      const merging = merge(path);
      await expect.poll(() => countLockWaits(app)).toBe(1);
      return { asked: merging };
    });
    expectError(await asked, 409, /up to date/);
  });

  test('requires the permission `merge` of the space', async () => {
    const space = await contents.aSpace();
    for (const role of ['read', 'comment', 'edit', 'review', 'create', 'admin'] as const) {
      const path = await aRequest(space);
      await contents.call('POST', `${path}/content`, { changes: [insert(role)] });
      const { token } = side.people[role];
      const { body } = await app.call('GET', space, { token });
      const { status } = await app.call('POST', `${path}/merge`, { token });
      expect([role, status], role).toEqual([role, body.permissions.merge ? 200 : 403]);
    }
  });

  test('enforces the merge rules of the space', async () => {
    const space = await contents.aSpace();
    const rules = [{ rule: 'require_change_request_subject' }, { rule: 'require_at_least_one_review' }];
    const set = await contents.call('PATCH', space, { mergeRules: { type: 'rules', rules } });
    expect(set.body.mergeRules).toEqual({ type: 'rules', rules });
    const path = await aRequest(space, '');
    await contents.call('POST', `${path}/content`, { changes: [insert('Page')] });
    expectError(await merge(path), 409, /subject.*review/);
    const bypass = [...rules, { rule: 'allow_bypass', users: [side.admin.id] }];
    await contents.call('PATCH', space, { mergeRules: { type: 'rules', rules: bypass } });
    expect((await merge(path)).body.result).toBe('merge');
  });

  test('enforces custom rules; an invalid expression is rejected', async () => {
    const space = await contents.aSpace();
    const set = (expression: string) =>
      patch(space, { mergeRules: { type: 'rules', rules: [{ rule: 'custom', expression }] } });
    expectError(await set('(((('), 400, /mergeRules\.rules\.0\.expression/);
    expectError(
      await patch(`/v1/orgs/${side.organizationId}`, {
        mergeRules: { type: 'rules', rules: [{ rule: 'custom', expression: 'a ==' }] },
      }),
      400,
    );
    const path = await aRequest(space);
    await contents.call('POST', `${path}/content`, { changes: [insert('Page')] });
    await set('actor.id != changeRequest.createdBy.id || space.title == "Other"');
    expectError(await merge(path), 409, /createdBy/);
    await set('actor.id == changeRequest.createdBy.id && space.title == "Guide" && reviews.length == 0');
    expect((await merge(path)).body.result).toBe('merge');
  });

  test('does not accept an empty description where a rule requires one', async () => {
    const space = await contents.aSpace();
    await patch(space, {
      mergeRules: { type: 'rules', rules: [{ rule: 'require_change_request_description' }] },
    });
    const path = await aRequest(space);
    await contents.call('POST', `${path}/content`, { changes: [insert('Page')] });
    await patch(path, { description: { object: 'document', data: {}, nodes: [] } });
    expectError(await merge(path), 409, /description/);
  });

  test('of a deletion with a concurrent edit is a conflict', async () => {
    const space = await contents.aSpace();
    const [page = '', other = ''] = idsOf(
      await contents.edit(space, insert('Page', 'One.\n\nTwo.\n'), insert('Other', 'A.\n\nB.\n')),
    );
    const change = (id: string, markdown: string) => ({
      operation: 'update_page',
      page: id,
      document: { markdown },
    });
    const deleting = await aRequest(space);
    await contents.call('POST', `${deleting}/content`, { changes: [{ operation: 'delete_page', page }] });
    const shortening = await aRequest(space);
    await contents.call('POST', `${shortening}/content`, { changes: [change(other, 'A.\n')] });
    await contents.edit(space, change(page, 'One!\n\nTwo.\n'), change(other, 'A.\n\nB, longer.\n'));
    for (const path of [deleting, shortening]) {
      expect((await merge(path)).body.result).toBe('conflicts');
      expect((await update(path)).body.result).toBe('conflicts');
      expect((await merge(path)).body.result).toBe('conflicts');
    }
    const { items } = await contents.get(`${deleting}/conflicts`);
    await contents.call('POST', `${deleting}/conflicts/${items[0].id}`, { use: 'proposed' });
    expect((await merge(deleting)).body.result).toBe('merge');
    expect((await contents.pages(space)).map(({ id }) => id)).toEqual([other]);
  });

  test('of a reverted change is rejected as empty', async () => {
    const space = await contents.aSpace();
    const [page] = idsOf(await contents.edit(space, insert('Page', 'Text')));
    const path = await aRequest(space);
    for (const title of ['Other', 'Page']) {
      await contents.call('POST', `${path}/content`, {
        changes: [{ operation: 'update_page', page, title }],
      });
    }
    expect((await contents.get(`${path}/changes`)).changes).toEqual([]);
    expectError(await merge(path), 409, /nothing to merge/);
  });
});

describe('responses', () => {
  test('list concurrently created requests by number', async () => {
    const space = await contents.aSpace();
    await Promise.all(
      Array.from({ length: 40 }, () => contents.call('POST', `${space}/change-requests`, {})),
    );
    const { items } = await contents.get(`${space}/change-requests?status=draft`);
    const numbers = items.map((each: Answer['body']) => each.number as number);
    expect(numbers).toEqual(Array.from({ length: 40 }, (_each, n) => 40 - n));
  });

  test('include the author of the merged request; a rule without users is rejected', async () => {
    const space = await contents.aSpace();
    const path = await aRequest(space);
    await contents.call('POST', `${path}/content`, { changes: [insert('Page')] });
    const { body } = await merge(path);
    const { mergedFrom } = await contents.get(`${space}/revisions/${body.revision}`);
    const { createdBy } = await contents.get(path);
    expect(mergedFrom.createdBy).toEqual(createdBy);
    const rules = [{ rule: 'require_one_of_specific_reviewers', users: [] }];
    expectError(await patch(space, { mergeRules: { type: 'rules', rules } }), 400, /users/);
  });
});

describe('requesting reviewers', () => {
  test('requires the role review, or edit on the caller’s own change request', async () => {
    const space = await contents.aSpace();
    const [author, colleague] = [
      await aMember(app, side.organizationId, 'edit'),
      await aMember(app, side.organizationId, 'edit'),
    ];
    const made = await app.call('POST', `${space}/change-requests`, { token: author.token, body: {} });
    const path = `${space}/change-requests/${made.body.id}/requested-reviewers`;
    const body = { users: [side.people.review.id] };
    const remove = (token: string) => app.call('DELETE', `${path}/${side.people.review.id}`, { token });
    expectError(await app.call('POST', path, { token: colleague.token, body }), 403);
    for (const { token } of [author, side.people.review]) {
      expect((await app.call('POST', path, { token, body })).status).toBe(200);
      expectError(await remove(colleague.token), 403);
      expect((await remove(token)).status).toBe(205);
    }
  });
});

describe('lists of change requests', () => {
  test('are filtered by requested reviewer, by space and by several statuses', async () => {
    const [one, two] = [await contents.aSpace(), await contents.aSpace()];
    const reviewer = await aMember(app, side.organizationId, 'review');
    const [draft, asked, archived, inOtherSpace] = [
      await aRequest(one),
      await aRequest(one),
      await aRequest(one),
      await aRequest(two),
    ];
    for (const path of [asked, inOtherSpace])
      await contents.call('POST', `${path}/requested-reviewers`, { users: [reviewer.id] });
    await patch(archived, { status: 'archived' });
    const idOf = (path: string) => path.split('/').at(-1);
    const organization = `/v1/orgs/${side.organizationId}/change-requests`;
    const listed = async (path: string): Promise<string[]> =>
      (await contents.get(path)).items.map(({ id }: { id: string }) => id).toSorted();
    const expected = (...paths: string[]) => paths.map(idOf).toSorted();
    const [inOne, inTwo] = [one, two].map((space) => `space=${space.split('/').at(-1)}`);

    for (const path of [organization, `${one}/change-requests`, `${two}/change-requests`]) {
      const all =
        path === organization ? [asked, inOtherSpace] : path.startsWith(one) ? [asked] : [inOtherSpace];
      expect(await listed(`${path}?requestedReviewer=${reviewer.id}`)).toEqual(expected(...all));
      expect(await listed(`${path}?requestedReviewer=nobody`)).toEqual([]);
    }
    expect(await listed(`${organization}?${inOne}`)).toEqual(expected(asked));
    expect(await listed(`${organization}?${inTwo}`)).toEqual(expected(inOtherSpace));
    expect(await listed(`${organization}?${inOne}&status=draft&status=open`)).toEqual(expected(draft, asked));
    expect(await listed(`${organization}?${inOne}&status=archived&status=merged`)).toEqual(
      expected(archived),
    );
    expect(await listed(`${one}/change-requests?status=draft&status=archived`)).toEqual(
      expected(draft, archived),
    );
    expect(await listed(`${organization}?${inOne}&requestedReviewer=${reviewer.id}&status=draft`)).toEqual(
      [],
    );
    expectError(await contents.call('GET', `${organization}?status=open&status=closed`), 400);
    expectError(await contents.call('GET', `${organization}?space=nosuchspace`), 404);
    const hidden = await contents.aSpace();
    await contents.call('PATCH', hidden, { defaultLevel: null });
    const query = `${organization}?space=${hidden.split('/').at(-1)}`;
    expectError(await app.call('GET', query, { token: reviewer.token }), 404);
    // A cursor is valid only with the filters it was created with.
    const first = await contents.call('GET', `${organization}?${inOne}&status=draft&status=open&limit=1`);
    const page = encodeURIComponent(first.body.next.page);
    expectError(
      await contents.call('GET', `${organization}?${inOne}&status=draft&limit=1&page=${page}`),
      400,
    );
    const next = await contents.call(
      'GET',
      `${organization}?${inOne}&status=draft&status=open&limit=1&page=${page}`,
    );
    expect([...first.body.items, ...next.body.items]).toHaveLength(2);
  });
});

describe('the author of a change request', () => {
  test('without the role edit may archive it and nothing else', async () => {
    const space = await contents.aSpace();
    const author = await aMember(app, side.organizationId, 'edit');
    const { token } = author;
    const made = await app.call('POST', `${space}/change-requests`, { token, body: {} });
    const path = `${space}/change-requests/${made.body.id}`;
    await app.call('POST', `${path}/content`, { token, body: { changes: [insert('Mine')] } });
    const reviewers = { users: [side.people.review.id] };
    await app.sql(`update members set role = 'read' where user_id = $1`, [author.id]);
    expectError(await app.call('POST', `${path}/requested-reviewers`, { token, body: reviewers }), 403);
    const change = (body: object) => app.call('PATCH', path, { token, body });
    for (const body of [{ subject: 'Mine' }, { status: 'open' }, { status: 'archived', subject: 'Mine' }]) {
      expectError(await change(body), 403);
    }
    expectError(await app.call('POST', `${path}/update`, { token }), 403);
    expect((await change({ status: 'archived' })).status).toBe(200);
    expectError(await change({ status: 'open' }), 403);
  });

  test('is a placeholder after the account was deleted', async () => {
    const space = await contents.aSpace();
    const author = await aMember(app, side.organizationId, 'edit');
    const { body } = await app.call('POST', `${space}/change-requests`, { token: author.token, body: {} });
    const path = `${space}/change-requests/${body.id}`;
    await contents.call('POST', `${path}/content`, { changes: [insert('Page')] });
    await app.sql('delete from users where id = $1', [author.id]);
    const placeholder = { id: 'somebody', displayName: 'Somebody' };
    expect((await contents.get(path)).createdBy).toMatchObject(placeholder);
    const { revision } = (await merge(path)).body;
    const { mergedFrom } = await contents.get(`${space}/revisions/${revision}/changes`);
    expect(mergedFrom.createdBy).toMatchObject(placeholder);
  });

  test('remains a filter after leaving the organization', async () => {
    const space = await contents.aSpace();
    const author = await aMember(app, side.organizationId, 'edit');
    const { token } = author;
    await app.call('POST', `${space}/change-requests`, { token, body: {} });
    await app.call('POST', `${space}/comments`, { token, body: { body: { markdown: 'Here' } } });
    await app.sql('delete from members where user_id = $1', [author.id]);
    const guest = side.people.guest;
    await grantOn(app, guest, 'read', [space.split('/').at(-1) ?? '']);
    for (const reader of [side.admin, guest]) {
      const get = (path: string) => app.call('GET', `${space}/${path}`, { token: reader.token });
      expect((await get(`change-requests?status=draft&creator=${author.id}`)).body.count).toBe(1);
      expect((await get(`comments?authors=${author.id}`)).body.count).toBe(1);
      expect((await get('comments?authors=nobody')).body.count).toBe(0);
    }
  });
});
