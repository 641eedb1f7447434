import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../../../test/app.ts';
import { idsOf, insert } from '../../../../test/content.ts';
import { aPublishedSite, idIn, type PublishedSite } from '../../../../test/published-site.ts';
import { aSpec, readAllSpecs } from '../../../../test/specs.ts';
import { aReceiver, type Receiver } from '../../../../test/webhook-receiver.ts';
import { deliverAll, webhooksOf, type Webhooks } from '../../../../test/webhooks.ts';
import { aMember, aSide, grantOn, type Side } from '../../../../test/world.ts';
import { newId } from '../../../platform/api/ids.ts';
import { PACKAGE_ROOT } from '../../../platform/version.ts';
import { EVENT_TYPES, PUBLISHED_EVENTS } from './policy.ts';

let app: TestApp;
let side: Side;
let receiver: Receiver;
let hooks: Webhooks;

beforeAll(async () => {
  receiver = await aReceiver();
  app = await startApp({ environment: { OCTAVO_OUTBOUND_ALLOW: receiver.host } });
  side = await aSide(app, 'alpha');
  hooks = webhooksOf(app, side);
});

afterAll(() => receiver.close());

beforeEach(async () => {
  await app.sql('delete from webhooks');
  await deliverAll(app);
  receiver.received.length = 0;
});

const messages = () => receiver.received.map(({ message }) => message);
const types = () => messages().map(({ type }) => type);
const urlOf = (to: string) => `http://octavo.test${to}`;

/** Ids and URLs that lead to what they name, and nothing else. */
async function expectUrls(space: string, from = 0): Promise<void> {
  for (const { headers, message, text } of receiver.received.slice(from)) {
    expect(message).toMatchObject({
      id: headers['webhook-id'],
      timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
      data: {
        organizationId: side.organizationId,
        spaceId: idIn(space),
        urls: { organization: urlOf(hooks.organization), space: urlOf(space) },
      },
    });
    expect(text).not.toMatch(/secret/i);
    const { urls } = message.data;
    for (const [name, url] of Object.entries<string>(urls)) {
      if (name === 'app') continue;
      const answer = await hooks.call('GET', url.replace('http://octavo.test', ''));
      expect(answer.status, `${message.type} ${name} ${url}`).toBe(200);
    }
  }
}

describe('messages', () => {
  test('are sent for everything that happens in a space, with ids and URLs that lead to it', async () => {
    await hooks.subscribe(receiver.url);
    const space = await hooks.aSpace();
    await hooks.done('POST', `${space}/content`, { changes: [insert('Secret title', 'Secret text.')] });
    const { id: requestId } = await hooks.done('POST', `${space}/change-requests`, { subject: 'Secret' });
    const request = `${space}/change-requests/${requestId}`;
    await hooks.done('POST', `${request}/content`, { changes: [insert('Secret', 'Text.')] });
    await hooks.done('PATCH', request, { status: 'open' });
    const comments = `${request}/comments`;
    const { id: commentId } = await hooks.done('POST', comments, { body: { markdown: 'Secret?' } });
    const { id: replyId } = await hooks.done('POST', `${comments}/${commentId}/replies`, {
      body: { markdown: 'Secret.' },
    });
    await deliverAll(app);
    await expectUrls(space);
    await hooks.done('DELETE', `${comments}/${commentId}/replies/${replyId}`);
    const before = receiver.received.length;
    const reviewed = await hooks.done(
      'POST',
      `${request}/reviews`,
      { status: 'approved' },
      side.people.review,
    );
    await hooks.done('POST', `${request}/merge`);
    await deliverAll(app);

    expect(types()).toEqual([
      'space_content_updated',
      'change_request_created',
      'change_request_content_updated',
      'change_request_status_changed',
      'comment_posted',
      'comment_reply_posted',
      'comment_reply_deleted',
      'change_request_reviewed',
      'space_content_updated',
      'change_request_merged',
    ]);
    await expectUrls(space, before);
    const [, , , status, posted, , deleted, review, , merged] = messages();
    expect(status.data).toMatchObject({ from: 'draft', to: 'open', userId: side.admin.id });
    expect(posted.data.urls).toMatchObject({
      comment: urlOf(`${comments}/${commentId}`),
      app: urlOf(`/app/spaces/${idIn(space)}/change-requests/${requestId}`),
    });
    expect(deleted.data).toMatchObject({ commentId, commentReplyId: replyId });
    expect(deleted.data.urls.commentReply).toBeUndefined();
    expect(review.data.urls.review).toBe(urlOf(`${request}/reviews/${reviewed.id}`));
    expect(merged.data.urls.revision).toContain(merged.data.revisionId);
  });

  test('are those of the types that a webhook asks for, and none while it is disabled', async () => {
    await hooks.subscribe(receiver.url, { eventTypes: ['comment_posted', 'comment_deleted'] });
    const { path: off } = await hooks.subscribe(receiver.url, { enabled: false });
    const space = await hooks.aSpace();
    await hooks.done('POST', `${space}/content`, { changes: [insert('Page')] });
    await hooks.comment(space);
    await deliverAll(app);
    expect(types()).toEqual(['comment_posted']);
    expect(await hooks.deliveries(off)).toEqual([]);
  });

  test('to a webhook of a space are those of the space', async () => {
    const [one, other] = [await hooks.aSpace(), await hooks.aSpace()];
    await hooks.subscribe(receiver.url, { target: { type: 'space', space: idIn(one) } });
    await hooks.comment(other);
    await hooks.comment(one);
    await deliverAll(app);
    expect(messages().map(({ data }) => data.spaceId)).toEqual([idIn(one)]);
  });

  test('of another organization are not sent', async () => {
    await hooks.subscribe(receiver.url);
    const other = webhooksOf(app, await aSide(app, 'beta'));
    await other.comment(await other.aSpace());
    await deliverAll(app);
    expect(types()).toEqual([]);
  });

  test('of specifications are sent to webhooks of the organization', async () => {
    await hooks.subscribe(receiver.url, { eventTypes: ['openapi_spec_updated'] });
    const slug = await aSpec(app, side);
    await readAllSpecs(app);
    await deliverAll(app);
    expect(messages()).toEqual([
      expect.objectContaining({
        type: 'openapi_spec_updated',
        data: expect.objectContaining({
          slug,
          urls: expect.objectContaining({
            location: urlOf(`/v1/orgs/${side.organizationId}/openapi/${slug}`),
          }),
        }),
      }),
    ]);
  });

  test('have a type that the handbook lists, with the members that it lists', () => {
    const handbook = readFileSync(path.join(PACKAGE_ROOT, 'docs/webhooks.md'), 'utf8');
    const rows = [...handbook.matchAll(/^\| `(\w+)` +\| ([^|]*?) +\| ([^|]*?) +\|/gm)];
    const listed = rows.map(([, type, , members = '']) => [
      type,
      [...members.matchAll(/`(\w+)`/g)].map(([, member]) => member),
    ]);
    expect(Object.fromEntries(listed)).toEqual(
      Object.fromEntries(EVENT_TYPES.map((type) => [type, [...PUBLISHED_EVENTS[type].members]])),
    );
  });
});

describe('a change of a published site', () => {
  const targetOf = ({ id }: PublishedSite) => ({ target: { type: 'site', site: id } });

  test('and feedback of its readers, without their words, is sent where it is asked for', async () => {
    const site = await aPublishedSite(app, side, { title: 'Rated' });
    const { space } = await site.addSpace('Manual');
    const [page] = idsOf(await site.contents.edit(space, insert('Page', 'Text.')));
    const rate = () =>
      app.sql(
        `insert into site_feedback (id, site_id, space_id, page_id, rating, comment, created_at)
         values ($1, $2, $3, $4, 'bad', 'Secret', now())`,
        [newId(), site.id, idIn(space), page],
      );
    await rate();
    await hooks.subscribe(receiver.url, { ...targetOf(site), eventTypes: ['page_feedback'] });
    await rate();
    await deliverAll(app);
    expect(types()).toEqual(['page_feedback']);
    expect(messages()[0]?.data).toMatchObject({ siteId: site.id, pageId: page, rating: 'bad' });
    expect(JSON.stringify(messages())).not.toContain('Secret');
  });

  test('is sent to webhooks of the site and of its organization', async () => {
    const site = await aPublishedSite(app, side, { title: 'Changing' });
    const { space } = await site.addSpace('Manual');
    const other = await aPublishedSite(app, side, { title: 'Another' });
    await hooks.subscribe(receiver.url, targetOf(site));
    await hooks.subscribe(receiver.url, targetOf(other));
    await hooks.subscribe(receiver.url, { eventTypes: ['site_changed'] });
    await site.contents.edit(space, insert('Page', 'Text.'));
    await deliverAll(app);
    expect(types()).toEqual(['site_changed', 'site_changed']);
    for (const { data } of messages())
      expect(data).toMatchObject({
        siteId: site.id,
        spaceId: idIn(space),
        urls: { site: urlOf(site.site), published: expect.stringContaining(site.basename) },
      });
  });

  test('does not name a space that the responsible user may not view', async () => {
    const site = await aPublishedSite(app, side, { title: 'Shared', visibility: 'visitor-auth' });
    const { space } = await site.addSpace('Hidden');
    await hooks.done('PATCH', space, { defaultLevel: null });
    const owner = await aMember(app, side.organizationId, 'read', 'owner');
    await grantOn(app, owner, 'admin', [], [], [site.id]);
    expect((await hooks.call('GET', space, undefined, owner)).status).toBe(404);
    const { path: hook } = await hooks.subscribe(receiver.url, targetOf(site), owner);
    await site.contents.edit(space, insert('Page', 'Text.'));
    await deliverAll(app);
    expect(types()).toEqual(['site_changed']);
    expect(receiver.received[0]?.text).not.toContain(idIn(space));
    // The log shows each person what they may view.
    const [{ id }] = await hooks.deliveries(hook);
    const shownTo = async (by: typeof owner) =>
      (await hooks.done('GET', `${hook}/deliveries/${id}`, undefined, by)).payload.data.spaceId;
    expect([await shownTo(owner), await shownTo(side.admin)]).toEqual([undefined, idIn(space)]);
  });
});
