import { beforeAll, describe, expect, test } from 'vitest';
import { startApp, type Answer, type TestApp } from '../../../test/app.ts';
import { expectError } from '../../../test/refusal.ts';
import { aMember, aSide, grantOn, type Person, type Side } from '../../../test/world.ts';

let app: TestApp;
let side: Side;
let admin: Person;

beforeAll(async () => {
  app = await startApp();
  side = await aSide(app, 'alpha');
  admin = side.admin;
});

const send = (method: string, path: string, body?: unknown, by = admin, headers = {}): Promise<Answer> =>
  app.call(method, path, { token: by.token, headers, ...(body === undefined ? {} : { body }) });

async function get(path: string, by = admin): Promise<Answer['body']> {
  const answer = await send('GET', path, undefined, by);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

const aSpace = async (): Promise<string> =>
  `/v1/spaces/${(await send('POST', `/v1/orgs/${side.organizationId}/spaces`, { title: 'Guide' })).body.id}`;

async function aRequest(space: string): Promise<string> {
  const { body } = await send('POST', `${space}/change-requests`, {});
  return `${space}/change-requests/${body.id}`;
}

const withText = (markdown: string, more: object = {}) => ({ body: { markdown }, ...more });

async function post(place: string, markdown = 'Why?', by = admin): Promise<Answer['body']> {
  const answer = await send('POST', `${place}/comments`, withText(markdown), by);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

const urlOf = (place: string, comment: Answer['body']) => `${place}/comments/${comment.id}`;
const textsOf = (list: Answer['body']): string[] =>
  list.items.map((each: Answer['body']) => each.body.markdown);

/** Every operation exists on a space and in a change request, which is named by id or by number. */
const PLACES: readonly (readonly [name: string, place: () => Promise<string>])[] = [
  ['on a space', aSpace],
  ['in a change request', async () => aRequest(await aSpace())],
  ['in a change request, by its number', async () => (await aRequest(await aSpace())).replace(/[^/]+$/, '1')],
];

describe.each(PLACES)('%s', (name, aPlace) => {
  test('a comment is posted, read, listed and deleted', async () => {
    const place = await aPlace();
    const comment = await post(place, 'Why *this*?');
    expect(comment).toMatchObject({
      object: 'comment',
      postedBy: { id: admin.id, email: admin.email },
      body: { markdown: 'Why *this*?' },
      reactions: [],
      replies: 0,
      repliers: [],
      status: 'open',
      permissions: { view: true, edit: true, reply: true, delete: true },
    });
    expect(comment.target.page).toBeUndefined();
    expect(comment.target.changeRequest === undefined).toBe(name === 'on a space');
    expect(new URL(comment.urls.location).pathname).toMatch(/\/comments\/\w+$/);
    // The response to POST is built without reading the row. It must equal a later read.
    expect(await get(new URL(comment.urls.location).pathname)).toEqual(comment);
    expect(await get(urlOf(place, comment))).toEqual(comment);
    expect(await get(`${place}/comments`)).toEqual({ count: 1, items: [comment] });

    expect((await send('DELETE', urlOf(place, comment))).status).toBe(205);
    expectError(await send('GET', urlOf(place, comment)), 404);
    expectError(await send('DELETE', urlOf(place, comment)), 404);
    expect(await get(`${place}/comments`)).toEqual({ count: 0, items: [] });
  });

  test('replies are listed in order and deleted with the comment', async () => {
    const place = await aPlace();
    const url = urlOf(place, await post(place));
    const answers = [];
    for (const text of ['One', 'Two', 'Three']) {
      const { status, body } = await send('POST', `${url}/replies`, withText(text));
      expect(status).toBe(200);
      answers.push(body);
    }
    expect(answers[0]).toMatchObject({ object: 'comment-reply', body: { markdown: 'One' }, reactions: [] });
    expect(await get(`${url}/replies`)).toEqual({ count: 3, items: answers });
    expect(await get(`${url}/replies/${answers[1].id}`)).toEqual(answers[1]);
    const { replies, repliers } = await get(url);
    expect(replies).toBe(3);
    expect(repliers).toEqual([{ user: answers[0].postedBy, count: 3, updatedAt: answers[2].postedAt }]);
    expect(
      (await get(`${place}/comments`)).items.find((item: { id: string }) => url.endsWith(item.id)),
    ).toMatchObject({ repliers });
    expect((await get(`${place}/comments`)).count).toBe(1);
    const first = await get(`${url}/replies?limit=2`);
    expect(textsOf(first)).toEqual(['One', 'Two']);
    expect(textsOf(await get(`${url}/replies?limit=2&page=${first.next.page}`))).toEqual(['Three']);

    expect((await send('DELETE', `${url}/replies/${answers[0].id}`)).status).toBe(205);
    expect((await get(url)).replies).toBe(2);
    const changed = await send('PUT', `${url}/replies/${answers[1].id}`, withText('Too'));
    expect(changed.body).toMatchObject({ body: { markdown: 'Too' }, editedAt: expect.any(String) });
    await send('PUT', `${url}/replies/${answers[1].id}`, { addedReactions: ['🎉'] });
    await send('DELETE', url);
    const [left] = await app.sql(
      'select count(*)::int as count from comments where parent_id = $1 or id = $1',
      [url.split('/').at(-1)],
    );
    expect(left).toEqual({ count: 0 });
    expectError(await send('GET', `${url}/replies`), 404);
    expectError(await send('POST', `${url}/replies`, withText('Late')), 404);
  });

  test('a comment is not found under another space or change request', async () => {
    const [place, other] = [await aPlace(), await aPlace()];
    const comment = await post(place);
    const { body: reply } = await send('POST', `${urlOf(place, comment)}/replies`, withText('Yes'));
    const otherComment = await post(other);
    const sibling = name === 'on a space' ? await aRequest(place) : place.replace(/\/change-requests.*/, '');
    for (const wrong of [other, sibling]) {
      for (const method of ['GET', 'PUT', 'DELETE'])
        expectError(await send(method, urlOf(wrong, comment), method === 'PUT' ? {} : undefined), 404);
      expectError(await send('GET', `${urlOf(wrong, comment)}/replies`), 404);
    }
    expectError(await send('GET', `${urlOf(other, otherComment)}/replies/${reply.id}`), 404);
    // A reply is not a comment and has no replies.
    expectError(await send('GET', urlOf(place, reply)), 404);
    expectError(await send('POST', `${urlOf(place, reply)}/replies`, withText('No')), 404);
  });

  test('a text can be read and written as Markdown and as a document', async () => {
    const place = await aPlace();
    const { body: document } = await send(
      'GET',
      `${urlOf(place, await post(place, 'Why *this*?'))}?format=document`,
    );
    expect(document.body.markdown).toBeUndefined();
    expect(document.body.document.nodes[0].nodes[0].leaves[1]).toMatchObject({
      text: 'this',
      marks: [{ type: 'italic' }],
    });
    const again = await send('POST', `${place}/comments`, { body: { document: document.body.document } });
    expect(again.body.body.markdown.trim()).toBe('Why _this_?');
    const [listed] = (await get(`${place}/comments?format=document`)).items;
    expect(listed.body.document.object).toBe('document');
    const reply = await send('POST', `${urlOf(place, listed)}/replies`, withText('**Yes**'));
    const shown = await get(`${urlOf(place, listed)}/replies/${reply.body.id}?format=document`);
    expect(shown.body.document.nodes).toHaveLength(1);
    expect((await get(`${urlOf(place, listed)}/replies?format=document`)).items[0].body).toEqual(shown.body);
  });

  test('a comment is resolved and reopened', async () => {
    const place = await aPlace();
    const url = urlOf(place, await post(place));
    const resolved = await send('PUT', url, { resolved: true });
    expect(resolved.body).toMatchObject({
      status: 'resolved',
      resolvedAt: expect.any(String),
      resolvedBy: { id: admin.id },
    });
    expect((await send('PUT', url, { resolved: true })).body).toEqual(resolved.body);
    expect(await get(url)).toEqual(resolved.body);
    expect((await get(`${place}/comments?status=open`)).count).toBe(0);
    expect((await get(`${place}/comments?status=resolved`)).count).toBe(1);
    const { body } = await send('PUT', url, { resolved: false });
    expect(body.status).toBe('open');
    expect(body).not.toHaveProperty('resolvedAt');
    expect(body).not.toHaveProperty('resolvedBy');
    expect((await get(`${place}/comments?status=open`)).items).toEqual([body]);
  });

  test('a list is sorted by time in both directions, paged, and filtered by status and author', async () => {
    const place = await aPlace();
    const other = side.people.comment;
    for (const [index, text] of ['1', '2', '3', '4', '5'].entries())
      await post(place, text, index % 2 === 0 ? admin : other);
    expect(textsOf(await get(`${place}/comments`))).toEqual(['5', '4', '3', '2', '1']);
    expect(textsOf(await get(`${place}/comments?order=asc`))).toEqual(['1', '2', '3', '4', '5']);
    const first = await get(`${place}/comments?limit=2`);
    expect(first.count).toBe(5);
    await post(place, 'Later');
    expect(textsOf(await get(`${place}/comments?limit=2&page=${first.next.page}`))).toEqual(['3', '2']);
    expect(textsOf(await get(`${place}/comments?authors=${other.id}`))).toEqual(['4', '2']);
    expect((await get(`${place}/comments?authors=${other.id}&authors=${admin.id}`)).count).toBe(6);
    const stranger = await aMember(app, (await aSide(app, 'gamma')).organizationId, 'edit');
    expect((await get(`${place}/comments?authors=${stranger.id}`)).count).toBe(0);
    expectError(await send('GET', `${place}/comments?order=up`), 400);
    expectError(await send('GET', `${place}/comments?status=closed`), 400);
  });

  test('the commenters are the members who commented', async () => {
    const place = await aPlace();
    const { comment: replier, edit: writer } = side.people;
    const url = urlOf(place, await post(place, 'Why?', writer));
    await post(place, 'And why?', writer);
    await send('POST', `${url}/replies`, withText('Because'), replier);
    const { count, items } = await get(`${place}/commenters`);
    expect(count).toBe(2);
    expect(items.map((each: Answer['body']) => each.id).toSorted()).toEqual(
      [replier.id, writer.id].toSorted(),
    );
    expect(items[0]).toMatchObject({ object: 'member', user: { object: 'user' } });
    const first = await get(`${place}/commenters?limit=1`);
    const second = await get(`${place}/commenters?limit=1&page=${first.next.page}`);
    expect([...first.items, ...second.items]).toEqual(items);
  });

  test('only the author edits the text', async () => {
    const place = await aPlace();
    const { comment: author, read: reader, review: reviewer, edit: editor } = side.people;
    const comment = await post(place, 'Mine', author);
    const url = urlOf(place, comment);
    for (const other of [admin, reviewer, editor, reader])
      expectError(await send('PUT', url, withText('Yours'), other), 403);
    expect((await send('PUT', url, withText('Still mine'), author)).body).toMatchObject({
      body: { markdown: 'Still mine' },
      editedAt: expect.any(String),
    });
    // Resolving a comment of another user requires the role review; deleting it requires admin.
    expectError(await send('PUT', url, { resolved: true }, editor), 403);
    expect((await send('PUT', url, { resolved: true }, reviewer)).status).toBe(200);
    expect((await send('PUT', url, { resolved: false }, author)).body.status).toBe('open');
    expectError(await send('DELETE', url, undefined, reviewer), 403);
    // An update with one forbidden part is rejected as a whole.
    expectError(await send('PUT', url, { addedReactions: ['👀'], resolved: true }, editor), 403);
    expect((await get(url)).reactions).toEqual([]);

    expect((await get(url, reader)).permissions).toEqual({
      view: true,
      edit: false,
      reply: false,
      delete: false,
    });
    expectError(await send('POST', `${place}/comments`, withText('No'), reader), 403);
    expectError(await send('POST', `${url}/replies`, withText('No'), reader), 403);
    expectError(await send('PUT', url, { addedReactions: ['👍'] }, reader), 403);
    expect((await send('DELETE', url)).status).toBe(205);
  });

  test('authors can edit and delete their comments after losing the role', async () => {
    const place = await aPlace();
    const author = await aMember(app, side.organizationId, null);
    const [, , , spaceId = ''] = place.split('/');
    await grantOn(app, author, 'comment', [spaceId]);
    const url = urlOf(place, await post(place, 'Mine', author));
    await grantOn(app, author, 'read', [spaceId]);
    expect((await get(url, author)).permissions).toEqual({
      view: true,
      edit: true,
      reply: false,
      delete: true,
    });
    expect((await send('PUT', url, withText('Changed'), author)).status).toBe(200);
    expect((await send('DELETE', url, undefined, author)).status).toBe(205);
  });

  test('If-Match applies to updates and deletion', async () => {
    const place = await aPlace();
    const url = urlOf(place, await post(place));
    const { headers } = await send('GET', url);
    const etag = { 'if-match': String(headers['etag']) };
    // Reactions and replies do not change the ETag of the comment.
    await send('PUT', url, { addedReactions: ['👍'] }, side.people.comment);
    await send('POST', `${url}/replies`, withText('Yes'));
    expect((await send('PUT', url, withText('Changed'), admin, etag)).status).toBe(200);
    expectError(await send('PUT', url, withText('Changed again'), admin, etag), 412);
    expectError(await send('DELETE', url, undefined, admin, etag), 412);
    expect((await get(url)).body.markdown).toBe('Changed');
  });
});

describe('reactions', () => {
  test('are unique per user and emoji', async () => {
    const place = await aSpace();
    const url = urlOf(place, await post(place));
    const other = side.people.comment;
    await send('PUT', url, { addedReactions: ['👍', '👍', '🎉'] });
    await send('PUT', url, { addedReactions: ['👍'] });
    const { body } = await send('PUT', url, { addedReactions: ['👍'] }, other);
    expect(body.reactions).toMatchObject([
      { emoji: '🎉', count: 1, users: [{ user: { id: admin.id }, reactedAt: expect.any(String) }] },
      { emoji: '👍', count: 2, users: [{ user: { id: admin.id } }, { user: { id: other.id } }] },
    ]);
    expect(body).not.toHaveProperty('editedAt');
    expect((await get(`${place}/comments`)).items[0].reactions).toEqual(body.reactions);

    // Removing a reaction leaves those of other users.
    const removed = await send('PUT', url, { removedReactions: ['👍', '🙈'] });
    expect(removed.body.reactions.map(({ emoji, count }: Answer['body']) => [emoji, count])).toEqual([
      ['🎉', 1],
      ['👍', 1],
    ]);
  });

  test('are limited to 20 of one user', async () => {
    const place = await aSpace();
    const url = urlOf(place, await post(place));
    const many = Array.from({ length: 21 }, (_, index) => `e${index}`);
    expectError(await send('PUT', url, { addedReactions: many }), 400);
    expectError(await send('PUT', url, { addedReactions: ['x'.repeat(51)] }), 400);
    expectError(await send('PUT', url, { addedReactions: [''] }), 400);
    expect((await send('PUT', url, { addedReactions: many.slice(1) })).body.reactions).toHaveLength(20);
    expect((await send('PUT', url, { addedReactions: ['e5'] })).body.reactions).toHaveLength(20);
    expectError(await send('PUT', url, { addedReactions: ['e0'] }), 409, /20 reactions of one user/);
    expect(
      (await send('PUT', url, { addedReactions: ['e0'], removedReactions: ['e5'] })).body.reactions,
    ).toHaveLength(20);
  });

  test('are limited to 1,000 on a comment', async () => {
    const place = await aSpace();
    const comment = await post(place);
    const url = urlOf(place, comment);
    await reactWithMany(comment.id, 999, null);
    expect((await send('PUT', url, { addedReactions: ['e0'] })).body.reactions[0].count).toBe(1000);
    expectError(await send('PUT', url, { addedReactions: ['one more'] }), 409, /1000 reactions/);
    expect((await get(url)).reactions[0].count).toBe(1000);
  });

  test.each([
    ['comments', async (place: string) => place],
    ['replies', async (place: string) => urlOf(place, await post(place))],
  ])('count towards the size of a page of %s', async (kind, placeOf) => {
    const place = await placeOf(await aSpace());
    const ids: string[] = [];
    for (let n = 0; n < 4; n++) ids.push((await send('POST', `${place}/${kind}`, withText(`${n}`))).body.id);
    for (const id of ids) await reactWithMany(id, 1000, `https://pictures.test/${'p'.repeat(2000)}`);
    const listed: string[] = [];
    let next: string | undefined = '';
    while (next !== undefined) {
      const answer = await send('GET', `${place}/${kind}?limit=1000${next}`);
      expect(answer.text.length).toBeLessThan(8_000_000);
      for (const { id, reactions } of answer.body.items) {
        listed.push(id);
        expect(reactions[0].count).toBe(1000);
        expect(new Set(reactions[0].users.map(({ user }: Answer['body']) => user.id)).size).toBe(1000);
      }
      next = answer.body.next && `&page=${answer.body.next.page}`;
    }
    expect(listed.toSorted()).toEqual(ids.toSorted());
  });

  async function reactWithMany(comment: string, count: number, photo: string | null): Promise<void> {
    await app.sql(
      `with people as (
        insert into users (id, display_name, email, photo_url)
        select $1::text || n, 'Name', lower($1) || n || '@octavo.test', $3::text from generate_series(1, $2::int) n
        returning id)
      insert into comment_reactions (comment_id, emoji, user_id) select $1::text, 'e0', id from people`,
      [comment, count, photo],
    );
  }
});

describe('counts', () => {
  const countOf = async (path: string) => (await get(path)).comments;

  test('include open comments without replies, per space or change request', async () => {
    const space = await aSpace();
    const request = await aRequest(space);
    const [first, second] = [await post(space, 'One'), await post(space, 'Two')];
    await post(request, 'Three');
    await send('POST', `${urlOf(space, first)}/replies`, withText('Reply'));
    expect([await countOf(space), await countOf(request)]).toEqual([2, 1]);
    await send('PUT', urlOf(space, first), { resolved: true });
    await send('PUT', urlOf(space, first), { resolved: true });
    expect(await countOf(space)).toBe(1);
    // Resolved comments are not counted, so deleting one changes nothing.
    await send('DELETE', urlOf(space, first));
    expect(await countOf(space)).toBe(1);
    await send('PUT', urlOf(space, second), { resolved: true });
    await send('PUT', urlOf(space, second), { resolved: false });
    expect(await countOf(space)).toBe(1);
    await send('DELETE', urlOf(space, second));
    expect([await countOf(space), await countOf(request)]).toEqual([0, 1]);
  });

  test('include each of 200 concurrent comments', async () => {
    const space = await aSpace();
    const request = await aRequest(space);
    const people = [admin, side.people.comment, side.people.edit];
    const posted = await Promise.all(
      Array.from({ length: 200 }, (_, index) =>
        post(index % 4 === 3 ? request : space, `Number ${index}`, people[index % 3]),
      ),
    );
    expect(new Set(posted.map(({ id }) => id)).size).toBe(200);
    expect([await countOf(space), await countOf(request)]).toEqual([150, 50]);
    const lists = [await get(`${space}/comments?limit=1000`), await get(`${request}/comments?limit=1000`)];
    expect(lists.map(({ count }) => count)).toEqual([150, 50]);
    const all = new Set(lists.flatMap(textsOf));
    expect(all.size).toBe(200);
    const { items } = await get(`${request}/contributors`);
    const counted = items.filter(({ actionType }: Answer['body']) => actionType === 'comment');
    expect(counted.reduce((sum: number, { count }: Answer['body']) => sum + count, 0)).toBe(50);
  });

  test('are correct after concurrent updates and deletions of the same comments', async () => {
    const space = await aSpace();
    const comments = await Promise.all(Array.from({ length: 6 }, () => post(space)));
    const urls = comments.map((comment) => urlOf(space, comment));
    await Promise.all(
      urls.flatMap((url, index) => [
        send('PUT', url, { resolved: true }),
        send('PUT', url, { resolved: true }),
        send('PUT', url, { resolved: false }),
        ...(index < 3 ? [send('DELETE', url), send('DELETE', url)] : []),
      ]),
    );
    expect(await countOf(space)).toBe((await get(`${space}/comments?status=open`)).count);
    expect((await get(`${space}/comments`)).count).toBe(3);
  });
});

describe('rejects a comment with', () => {
  const bodies: readonly (readonly [name: string, body: unknown, rule: RegExp])[] = [
    ['no text', {}, /must not be empty/],
    ['an empty text', { markdown: '' }, /must not be empty/],
    ['blank text', { markdown: ' \n\t ' }, /must not be empty/],
    ['an empty document', { document: { object: 'document', data: {}, nodes: [] } }, /must not be empty/],
    ['more than 100,000 bytes', { markdown: 'ü'.repeat(50_001) }, /100002 bytes.*100000/],
    ['a NUL', { markdown: 'a\u0000b' }, /NUL/],
    ['a lone surrogate', { markdown: 'a\ud800b' }, /body\.body\.markdown.*surrogate/],
  ];
  test.each(bodies)('%s', async (_name, body, rule) => {
    const space = await aSpace();
    const url = urlOf(space, await post(space));
    for (const answer of [
      await send('POST', `${space}/comments`, { body }),
      await send('POST', `${url}/replies`, { body }),
      await send('PUT', url, { body }),
    ])
      expectError(answer, 400, rule);
    expect((await get(`${space}/comments`)).count).toBe(1);
  });

  test('two megabytes', async () => {
    const space = await aSpace();
    expectError(await send('POST', `${space}/comments`, withText('x'.repeat(2 * 1024 * 1024))), 413);
  });

  test('no body at all', async () => {
    const space = await aSpace();
    expectError(await send('POST', `${space}/comments`, {}), 400);
  });
});

describe('the text of a comment', () => {
  const HOSTILE = [
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '[x](javascript:alert(1))',
    '</textarea>{% hint %}{{7*7}}',
  ];
  test.each(HOSTILE)('is stored and returned as text: %s', async (text) => {
    const space = await aSpace();
    const comment = await post(space, text);
    expect(comment.body.markdown).toBe(text);
    const answer = await send('GET', urlOf(space, comment));
    expect(answer.body.body.markdown).toBe(text);
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    // The document form conforms to the public schema.
    await get(`${urlOf(space, comment)}?format=document`);
  });

  test('remains when the author’s account is deleted', async () => {
    const space = await aSpace();
    const author = await aMember(app, side.organizationId, 'comment');
    const url = urlOf(space, await post(space, 'Farewell', author));
    await app.sql('delete from users where id = $1', [author.id]);
    expect(await get(url)).toMatchObject({
      body: { markdown: 'Farewell' },
      postedBy: { displayName: 'Somebody' },
    });
    expect((await get(`${space}/commenters`)).count).toBe(0);
  });

  test('is posted once per idempotency key', async () => {
    const space = await aSpace();
    const key = { 'idempotency-key': 'once' };
    const [one, two] = [
      await send('POST', `${space}/comments`, withText('Once'), admin, key),
      await send('POST', `${space}/comments`, withText('Once'), admin, key),
    ];
    expect(two.body).toEqual(one.body);
    expect((await get(space)).comments).toBe(1);
  });
});
