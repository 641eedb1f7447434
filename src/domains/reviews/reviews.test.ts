import { setTimeout } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { startApp, type Answer, type TestApp } from '../../../test/app.ts';
import { contentsOf, insert, type Contents } from '../../../test/content.ts';
import { expectError } from '../../../test/refusal.ts';
import { aMember, aSide, type Side } from '../../../test/world.ts';

let app: TestApp;
let side: Side;
let contents: Contents;

beforeAll(async () => {
  app = await startApp();
  side = await aSide(app, 'alpha');
  contents = contentsOf(app, side);
});

async function aRequest(space: string): Promise<string> {
  const { body } = await contents.call('POST', `${space}/change-requests`, { subject: 'Better' });
  const path = `${space}/change-requests/${body.id}`;
  await contents.call('POST', `${path}/content`, { changes: [insert('Page')] });
  return path;
}

const review = (path: string, token: string, body: object) =>
  app.call('POST', `${path}/reviews`, { token, body });

describe('a review', () => {
  test('applies to the current content, with a comment', async () => {
    const path = await aRequest(await contents.aSpace());
    const { token, id } = side.people.review;
    const made = await review(path, token, {
      status: 'changes-requested',
      comment: { markdown: 'Not *yet*' },
    });
    expect(made.status, made.text).toBe(201);
    expect(made.body).toMatchObject({
      status: 'changes-requested',
      outdated: false,
      reviewer: { id },
      comment: { body: { markdown: 'Not *yet*' }, target: { review: made.body.id } },
    });
    expect((await contents.get(path)).comments).toBe(1);
    await contents.call('POST', `${path}/content`, { changes: [insert('Another')] });
    expect(await contents.get(`${path}/reviews/${made.body.id}`)).toMatchObject({ outdated: true });
    expect((await contents.get(`${path}/reviews?outdated=false`)).items).toEqual([]);
    expect((await contents.get(`${path}/reviews?outdated=true`)).count).toBe(1);
    expectError(await review(path, side.people.edit.token, { status: 'approved' }), 403);
    expectError(await review(path, token, { status: 'maybe' }), 400);
  });

  test('with a large comment counts towards the size of a page', async () => {
    const path = await aRequest(await contents.aSpace());
    const comment = { markdown: 'y '.repeat(45_000) };
    const ids: string[] = [];
    for (let n = 0; n < 60; n++) {
      const made = await review(path, side.people.review.token, { status: 'approved', comment });
      ids.unshift(made.body.id);
    }
    const { text, body } = await contents.call('GET', `${path}/reviews?limit=1000`);
    expect(text.length).toBeLessThan(5_000_000);
    expect(body.count).toBe(60);
    const rest = await contents.get(`${path}/reviews?limit=1000&page=${body.next.page}`);
    expect([...body.items, ...rest.items].map(({ id }: { id: string }) => id)).toEqual(ids);
  });

  test('satisfies the rules for the approved revision, except on your own change request', async () => {
    const space = await contents.aSpace();
    const rules = [{ rule: 'require_specific_reviewers', users: [side.people.review.id] }];
    await contents.call('PATCH', space, { mergeRules: { type: 'rules', rules } });
    const path = await aRequest(space);
    expectError(await contents.call('POST', `${path}/merge`), 409, /approve/);
    expectError(await review(path, side.admin.token, { status: 'approved' }), 409);
    expect((await review(path, side.people.review.token, { status: 'approved' })).status).toBe(201);
    await contents.call('POST', `${path}/content`, { changes: [insert('Sneaked in')] });
    expectError(await contents.call('POST', `${path}/merge`), 409, /approve/);
    await review(path, side.people.review.token, { status: 'approved' });
    expect((await contents.call('POST', `${path}/merge`)).body.result).toBe('merge');
    expectError(await review(path, side.people.review.token, { status: 'approved' }), 409);
  });

  test('that is outdated or by the author satisfies no rule', async () => {
    const space = await contents.aSpace();
    const setRule = (rule: string) =>
      contents.call('PATCH', space, { mergeRules: { type: 'rules', rules: [{ rule }] } });
    const merge = (path: string) => contents.call('POST', `${path}/merge`);
    const path = await aRequest(space);
    expect((await review(path, side.admin.token, { status: 'approved' })).status).toBe(201);
    await setRule('require_at_least_one_review');
    expectError(await merge(path), 409, /needs a review/);
    await setRule('require_all_reviews_approved');
    expect((await review(path, side.people.review.token, { status: 'approved' })).status).toBe(201);
    await contents.call('POST', `${path}/content`, { changes: [insert('Sneaked in')] });
    expectError(await merge(path), 409, /current content/);
    await review(path, side.people.review.token, { status: 'approved' });
    expect((await merge(path)).body.result).toBe('merge');
  });

  test('with If-Match applies only to the content that was read', async () => {
    const path = await aRequest(await contents.aSpace());
    const approve = (etag: string | undefined) =>
      app.call('POST', `${path}/reviews`, {
        token: side.people.review.token,
        body: { status: 'approved' },
        headers: { 'if-match': etag ?? '' },
      });
    const tags = async () =>
      Promise.all(
        [path, `${path}/content`].map(async (each) => (await contents.call('GET', each)).headers['etag']),
      );
    const old = await tags();
    await contents.call('POST', `${path}/content`, { changes: [insert('Sneaked in')] });
    for (const etag of old) expectError(await approve(etag), 412, /Read it again/);
    expect((await contents.get(`${path}/reviews`)).count).toBe(0);
    for (const etag of await tags()) expect((await approve(etag)).status).toBe(201);
    await contents.call('PATCH', path, { subject: 'Another name for the same' });
    for (const etag of await tags()) expect((await approve(etag)).status).toBe(201);
  });

  test('is rejected when the change request is archived concurrently', async () => {
    const path = await aRequest(await contents.aSpace());
    const { id } = await contents.get(path);
    const { db } = app.app.installation.connection;
    const { token } = side.admin;
    let pending: Promise<Answer>[] = [];
    await db.transaction().execute(async (transaction) => {
      await transaction
        .updateTable('change_requests')
        .set({ status: 'archived' })
        .where('id', '=', id)
        .execute();
      pending = [
        review(path, side.people.review.token, { status: 'approved' }),
        app.call('POST', `${path}/requested-reviewers`, {
          token,
          body: { users: [side.people.review.id] },
        }),
      ];
      // Long enough for a request that does not wait for the lock.
      await Promise.race([Promise.all(pending), setTimeout(500)]);
    });
    for (const answer of await Promise.all(pending)) expectError(answer, 409, /archived/);
  });

  test('of a former member does not count', async () => {
    const space = await contents.aSpace();
    const path = await aRequest(space);
    const leaver = await aMember(app, side.organizationId, 'review');
    expect((await review(path, leaver.token, { status: 'changes-requested' })).status).toBe(201);
    await contents.call('PATCH', space, {
      mergeRules: { type: 'rules', rules: [{ rule: 'require_all_reviews_approved' }] },
    });
    expectError(await contents.call('POST', `${path}/merge`), 409);
    await app.sql('delete from members where user_id = $1', [leaver.id]);
    expect((await contents.call('POST', `${path}/merge`)).body.result).toBe('merge');
  });

  test('by a contributor satisfies no rule', async () => {
    const space = await contents.aSpace();
    const { review: editor } = side.people;
    const other = await aMember(app, side.organizationId, 'review');
    const setRule = (rule: object) =>
      contents.call('PATCH', space, { mergeRules: { type: 'rules', rules: [rule] } });
    const path = await aRequest(space);
    const merge = () => app.call('POST', `${path}/merge`, { token: editor.token });
    const changes = [insert('Sneaked in')];
    const edited = await app.call('POST', `${path}/content`, { token: editor.token, body: { changes } });
    expect(edited.status, edited.text).toBe(200);
    expect((await review(path, editor.token, { status: 'approved' })).status).toBe(201);
    for (const rule of [
      { rule: 'require_at_least_one_review' },
      { rule: 'require_specific_reviewers', users: [editor.id] },
      { rule: 'require_one_of_specific_reviewers', users: [editor.id] },
      { rule: 'custom', expression: 'reviews.length > 0' },
    ]) {
      expect((await setRule(rule)).status).toBe(200);
      expectError(await merge(), 409, new RegExp(`edited it do not count: ${editor.id}`));
    }
    // A comment is not an edit.
    await app.call('POST', `${path}/comments`, { token: other.token, body: { body: { markdown: 'Fine' } } });
    expect((await review(path, other.token, { status: 'approved' })).status).toBe(201);
    await setRule({ rule: 'require_one_of_specific_reviewers', users: [editor.id, other.id] });
    expect((await merge()).body.result).toBe('merge');
  });

  test('by a contributor can still request changes', async () => {
    const space = await contents.aSpace();
    const { token } = side.people.review;
    const path = await aRequest(space);
    await app.call('POST', `${path}/content`, { token, body: { changes: [insert('Mine')] } });
    await review(path, token, { status: 'changes-requested' });
    await contents.call('PATCH', space, {
      mergeRules: { type: 'rules', rules: [{ rule: 'require_all_reviews_approved' }] },
    });
    expectError(await contents.call('POST', `${path}/merge`), 409, /every reviewer/);
    await review(path, token, { status: 'approved' });
    expect((await contents.call('POST', `${path}/merge`)).body.result).toBe('merge');
  });

  test('counts only while the reviewer has the role review', async () => {
    const space = await contents.aSpace();
    const path = await aRequest(space);
    const reviewer = await aMember(app, side.organizationId, 'review');
    const merge = () => contents.call('POST', `${path}/merge`);
    const setRole = (role: string | null) =>
      app.sql('update members set role = $2::role where user_id = $1', [reviewer.id, role]);
    await contents.call('PATCH', space, {
      mergeRules: { type: 'rules', rules: [{ rule: 'require_at_least_one_review' }] },
    });
    expect((await review(path, reviewer.token, { status: 'approved' })).status).toBe(201);
    for (const role of [null, 'read', 'edit']) {
      await setRole(role);
      expectError(await merge(), 409, /needs a review/);
    }
    await setRole('review');
    // A grant on the space replaces the role in the organization.
    const grant = (role: string) =>
      contents.call('POST', `${space}/permissions`, { role, users: [reviewer.id] });
    expect((await grant('edit')).status).toBe(204);
    expectError(await merge(), 409, /needs a review/);
    await grant('review');
    await setRole(null);
    expect((await merge()).body.result).toBe('merge');
  });
});
