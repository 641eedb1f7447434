import { changeRequests, requestContent } from '../../src/domains/change-requests/policy.ts';
import { primaryContent } from '../../src/domains/content/policy.ts';
import type { EntryKind } from '../../src/domains/revisions/schema.ts';
import { siteSpaces } from '../../src/domains/sites/policy.ts';
import { spaces } from '../../src/domains/spaces/policy.ts';
import type { Resource } from '../../src/platform/api/resource.ts';
import type { TestApp } from '../app.ts';
import { type Side, aMember } from '../world.ts';
import { fill } from './content.ts';
import { aConflict } from './reviews.ts';
import { aRedirect } from './sites.ts';

/** The space of the site space of the request, with content. */
async function aFilledSpace(
  test: TestApp,
  side: Side,
  builtSoFar: ReadonlyMap<Resource, string>,
): Promise<string> {
  const [row] = await test.sql('select space_id from site_spaces where id = $1', [
    builtSoFar.get(siteSpaces),
  ]);
  const spaceId = String(row?.['space_id']);
  await test.sql(`update spaces set edit_mode = 'live' where id = $1`, [spaceId]);
  await fill(test, side, spaceId);
  return spaceId;
}

/** An entry of the target of the request. */
export async function anEntry(
  test: TestApp,
  side: Side,
  kind: EntryKind,
  builtSoFar: ReadonlyMap<Resource, string>,
): Promise<string> {
  if (kind === 'redirect') {
    const redirect = await aRedirect(test, side, side.admin, builtSoFar);
    const [row] = await test.sql('select source from site_redirects where id = $1', [redirect.id]);
    return String(row?.['source']);
  }
  const spaceId =
    builtSoFar.get(primaryContent) ?? builtSoFar.get(spaces) ?? (await aFilledSpace(test, side, builtSoFar));
  const { token } = side.admin;
  const requestId = builtSoFar.get(requestContent);
  const prefix = requestId ? `/change-requests/${requestId}` : '';
  const { body } = await test.call('GET', `/v1/spaces/${spaceId}${prefix}/content`, { token });
  const page = body.pages[0];
  switch (kind) {
    case 'page':
      return page.id;
    case 'path':
      return page.path;
    case 'document':
      return page.documentId;
    case 'file':
      return body.files[0].id;
    case 'reusable-content':
      return body.reusableContents[0].id;
    case 'reviewer': {
      const { id } = await aMember(test, side.organizationId, 'read');
      const path = `/v1/spaces/${spaceId}/change-requests/${builtSoFar.get(changeRequests)}/requested-reviewers`;
      await test.call('POST', path, { token, body: { users: [id] } });
      return id;
    }
    case 'conflict':
      return aConflict(test, side, spaceId, builtSoFar.get(requestContent) ?? '');
  }
}
