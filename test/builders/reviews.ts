import { changeRequests, requestContent } from '../../src/domains/change-requests/policy.ts';
import { comments, replies, requestComments, requestReplies } from '../../src/domains/comments/policy.ts';
import { primaryContent } from '../../src/domains/content/policy.ts';
import { requestTargets } from '../../src/domains/imports/policy.ts';
import { reviews } from '../../src/domains/reviews/policy.ts';
import { spaces } from '../../src/domains/spaces/policy.ts';
import type { Resource } from '../../src/platform/api/resource.ts';
import type { TestApp } from '../app.ts';
import type { Side } from '../world.ts';
import { type Builder, created } from './builder.ts';
import { edit, fill } from './content.ts';

/** A change request on a space with content, and with a change, so that it can be merged. */
const aChangeRequest: Builder = async (test, side, _caller, builtSoFar) => {
  const spaceId = builtSoFar.get(spaces) ?? builtSoFar.get(primaryContent) ?? '';
  const { token } = side.admin;
  await test.call('PATCH', `/v1/spaces/${spaceId}`, { token, body: { editMode: 'live' } });
  await fill(test, side, spaceId);
  const path = `/v1/spaces/${spaceId}/change-requests`;
  const built = await created(
    test.call('POST', path, { token, body: { subject: `Of marker-${side.name}` } }),
  );
  const changes = [
    { operation: 'insert_page', title: 'Proposed', document: { markdown: `marker-${side.name}` } },
  ];
  await test.call('POST', `${path}/${built.id}/content`, { token, body: { changes } });
  return built;
};

/** Both sides rename the same page. */
export async function aConflict(
  test: TestApp,
  side: Side,
  spaceId: string,
  requestId: string,
): Promise<string> {
  const { token } = side.admin;
  const request = `/v1/spaces/${spaceId}/change-requests/${requestId}`;
  const { body } = await test.call('GET', `/v1/spaces/${spaceId}/content/pages`, { token });
  const rename = (title: string) => ({ operation: 'update_page', page: body.pages[0].id, title });
  await edit(test, side, spaceId, [rename('Here')]);
  await test.call('POST', `${request}/content`, { token, body: { changes: [rename('There')] } });
  await test.call('POST', `${request}/update`, { token });
  return (await test.call('GET', `${request}/conflicts`, { token })).body.items[0].id;
}

/** A comment, or a reply to the comment of the same request; by the caller if they may comment. */
const aComment: Builder = async (test, side, caller, builtSoFar) => {
  const requestId = builtSoFar.get(requestContent);
  const space = `/v1/spaces/${builtSoFar.get(primaryContent) ?? builtSoFar.get(spaces)}`;
  const place = requestId ? `${space}/change-requests/${requestId}/comments` : `${space}/comments`;
  const commentId = builtSoFar.get(comments) ?? builtSoFar.get(requestComments);
  const path = commentId ? `${place}/${commentId}/replies` : place;
  const body = { body: { markdown: `Said in marker-${side.name}` } };
  const own = await test.call('POST', path, { token: caller.token, body });
  return own.status === 200
    ? created(Promise.resolve(own))
    : created(test.call('POST', path, { token: side.admin.token, body }));
};

export const reviewsBuilders: readonly (readonly [Resource, Builder])[] = [
  [changeRequests, aChangeRequest],
  [requestContent, aChangeRequest],
  [requestTargets, aChangeRequest],
  [comments, aComment],
  [requestComments, aComment],
  [replies, aComment],
  [requestReplies, aComment],
  [
    reviews,
    async (test, side, _caller, builtSoFar) => {
      const path = `/v1/spaces/${builtSoFar.get(spaces)}/change-requests/${builtSoFar.get(changeRequests)}/reviews`;
      const comment = { markdown: `Said in marker-${side.name}` };
      // Not by the author of the request, which rules may forbid.
      const call = { token: side.people.review.token, body: { status: 'approved', comment } };
      return created(test.call('POST', path, call));
    },
  ],
];
