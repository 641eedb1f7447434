import { beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../../test/app.ts';
import { contentsOf, type Contents } from '../../../test/content.ts';
import { aSide, type Side } from '../../../test/world.ts';

let app: TestApp;
let side: Side;
let contents: Contents;

beforeAll(async () => {
  app = await startApp();
  side = await aSide(app, 'alpha');
  contents = contentsOf(app, side);
});

const withText = { body: { markdown: 'Why?' } };

/** The events of a space's comments, in order. */
async function eventsOf(space: string): Promise<Record<string, unknown>[]> {
  const id = space.split('/').at(-1);
  return app.sql(`select type, data from events where space_id = $1 and type ~ '^comment' order by id`, [id]);
}

test.each([['on a space'], ['in a change request']])(
  'every change of a comment %s is recorded as an event',
  async (kind) => {
    const space = await contents.aSpace();
    const request =
      kind === 'on a space' ? null : (await contents.call('POST', `${space}/change-requests`, {})).body.id;
    const place = request === null ? space : `${space}/change-requests/${request}`;
    const { body: comment } = await contents.call('POST', `${place}/comments`, withText);
    const url = `${place}/comments/${comment.id}`;
    const { body: reply } = await contents.call('POST', `${url}/replies`, withText);
    await contents.call('PUT', `${url}/replies/${reply.id}`, withText);
    await contents.call('DELETE', `${url}/replies/${reply.id}`);
    await contents.call('PUT', url, withText);
    await contents.call('PUT', url, { resolved: true });
    await contents.call('PUT', url, { resolved: false });
    await contents.call('DELETE', url);

    const about = { commentId: comment.id, changeRequestId: request, userId: side.admin.id };
    const aboutReply = { ...about, commentReplyId: reply.id };
    expect(await eventsOf(space)).toEqual([
      { type: 'comment_posted', data: about },
      { type: 'comment_reply_posted', data: aboutReply },
      { type: 'comment_reply_updated', data: aboutReply },
      { type: 'comment_reply_deleted', data: aboutReply },
      { type: 'comment_updated', data: about },
      { type: 'comment_resolved', data: about },
      { type: 'comment_reopened', data: about },
      { type: 'comment_deleted', data: about },
    ]);
  },
);

test('a request that changes nothing or is rejected records no event', async () => {
  const space = await contents.aSpace();
  const { body: comment } = await contents.call('POST', `${space}/comments`, withText);
  const url = `${space}/comments/${comment.id}`;
  await contents.call('PUT', url, { resolved: false });
  await contents.call('PUT', url, { addedReactions: ['👍'] });
  await contents.call('PUT', url, { body: { markdown: '' } });
  await Promise.all(['', '', ''].map(() => contents.call('DELETE', url)));
  expect((await eventsOf(space)).map(({ type }) => type)).toEqual(['comment_posted', 'comment_deleted']);
});
