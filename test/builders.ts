import { createOrganizationWithAdmin, members } from '../src/domains/members/index.ts';
import { joinableOrganizations, organizations } from '../src/domains/organizations/index.ts';
import { people } from '../src/domains/organizations/policy.ts';
import { emailInvites, joinableInvites, linkInvites } from '../src/domains/invites/policy.ts';
import { adaptiveSites } from '../src/domains/adaptive-schema/policy.ts';
import { collections } from '../src/domains/collections/index.ts';
import { comments, replies, requestComments, requestReplies } from '../src/domains/comments/policy.ts';
import { changeRequests, requestContent } from '../src/domains/change-requests/policy.ts';
import { customHostnames, subdomains } from '../src/domains/custom-hostnames/policy.ts';
import { customizedSites, customizedSiteSpaces } from '../src/domains/customization/policy.ts';
import { gitOperations } from '../src/domains/git-sync/policy.ts';
import { importRuns, requestTargets } from '../src/domains/imports/policy.ts';
import { publishedSites } from '../src/domains/publishing/policy.ts';
import { siteRedirects } from '../src/domains/redirects/policy.ts';
import { primaryContent, uploadTargets } from '../src/domains/content/policy.ts';
import { revisions } from '../src/domains/revisions/policy.ts';
import type { EntryKind } from '../src/domains/revisions/schema.ts';
import { spaces, spacesAndDeleted } from '../src/domains/spaces/policy.ts';
import { reviews } from '../src/domains/reviews/policy.ts';
import {
  shareLinks,
  sites,
  siteSectionGroups,
  siteSections,
  siteSpaces,
} from '../src/domains/sites/policy.ts';
import { teamMembers, teams } from '../src/domains/teams/policy.ts';
import { insertToken, users } from '../src/domains/users/index.ts';
import { tokens } from '../src/domains/users/policy.ts';
import { newId } from '../src/platform/api/ids.ts';
import type { Resource } from '../src/platform/api/resource.ts';
import type { Answer, Call, TestApp } from './app.ts';
import { type Person, type Side, aPerson, aMember } from './world.ts';

/** Creates resources for the ids of requests. */

/** A new resource for an id to refer to, and its caller if not every admin may use it. */
export interface Built {
  readonly id: string;
  readonly caller?: string;
}

/** `around` contains the resources that were built for the same request so far: a team member needs the team. */
export type Builder = (
  test: TestApp,
  side: Side,
  caller: Person,
  builtSoFar: ReadonlyMap<Resource, string>,
) => Promise<Built>;

async function created(call: Promise<Answer>): Promise<Built> {
  const { status, body, text } = await call;
  if (status >= 300) throw new Error(`a builder was refused: ${status} ${text}`);
  return { id: body.id };
}

const post = (test: TestApp, side: Side, path: string, call: Call, method = 'POST') =>
  created(test.call(method, `/v1/orgs/${side.organizationId}${path}`, { token: side.admin.token, ...call }));

const anEmailInvite: Builder = async (test, side) => {
  const email = `${newId().toLowerCase()}@invited.example`;
  const { token } = side.admin;
  await test.call('POST', `/v1/orgs/${side.organizationId}/invites`, { token, body: { emails: [email] } });
  const [row] = await test.sql('select id from invites where email = $1', [email]);
  return { id: String(row?.['id']) };
};

/** A space for a site to show. */
const aShownSpace = async (test: TestApp, side: Side): Promise<string> =>
  (await post(test, side, '/spaces', { body: { title: `Shown marker-${side.name}` } })).id;

/** How to create each resource. A new resource is added here, and every loop over the operations covers it. */
export const builders = new Map<Resource, Builder>([
  [organizations, async (_test, side) => ({ id: side.organizationId })],
  [uploadTargets, async (_test, side) => ({ id: side.organizationId })],
  [
    joinableOrganizations,
    async (test, side) => {
      const id = side.organizationId;
      const [row] = await test.sql('select email_domains[1] as domain from organizations where id = $1', [
        id,
      ]);
      return { id, caller: (await aPerson(test, 'joiner', String(row?.['domain']))).token };
    },
  ],
  [users, async (_test, _side, caller) => ({ id: caller.id })],
  [members, async (test, side) => ({ id: (await aMember(test, side.organizationId, 'edit')).id })],
  [people, async (test, side) => ({ id: (await aMember(test, side.organizationId, 'edit')).id })],
  [
    teams,
    (test, side) => post(test, side, '/teams', { body: { title: `Team of marker-${side.name}` } }, 'PUT'),
  ],
  [
    teamMembers,
    async (test, side, _caller, builtSoFar) => {
      const { id } = await aMember(test, side.organizationId, 'read');
      const path = `/v1/orgs/${side.organizationId}/teams/${builtSoFar.get(teams)}/members/${id}`;
      await test.call('PUT', path, { token: side.admin.token, body: {} });
      return { id };
    },
  ],
  [
    collections,
    (test, side) => post(test, side, '/collections', { body: { title: `In marker-${side.name}` } }),
  ],
  [spaces, (test, side) => post(test, side, '/spaces', { body: { title: `Of marker-${side.name}` } })],
  [
    spacesAndDeleted,
    async (test, side) => {
      const built = await post(test, side, '/spaces', { body: { title: `Deleted marker-${side.name}` } });
      await test.call('DELETE', `/v1/spaces/${built.id}`, { token: side.admin.token });
      return built;
    },
  ],
  [
    primaryContent,
    async (test, side) => {
      const body = { title: `Of marker-${side.name}`, editMode: 'live' };
      const built = await post(test, side, '/spaces', { body });
      await fill(test, side, built.id);
      return built;
    },
  ],
  [
    revisions,
    async (test, side, _caller, builtSoFar) => {
      const spaceId = builtSoFar.get(spaces) ?? builtSoFar.get(primaryContent) ?? '';
      const { token } = side.admin;
      await test.call('PATCH', `/v1/spaces/${spaceId}`, { token, body: { editMode: 'live' } });
      const id = await fill(test, side, spaceId);
      // It must not be the current revision, which cannot be restored.
      await edit(test, side, spaceId, [{ operation: 'set_variables', variables: { later: true } }]);
      return { id };
    },
  ],
  [changeRequests, (...given) => aChangeRequest(...given)],
  [requestContent, (...given) => aChangeRequest(...given)],
  [requestTargets, (...given) => aChangeRequest(...given)],
  [importRuns, (...given) => anImportRun(...given)],
  [gitOperations, (...given) => aGitOperation(...given)],
  [comments, (...given) => aComment(...given)],
  [requestComments, (...given) => aComment(...given)],
  [replies, (...given) => aComment(...given)],
  [requestReplies, (...given) => aComment(...given)],
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
  [sites, (...given) => aSite(...given)],
  [customizedSites, (...given) => aSite(...given)],
  [publishedSites, (...given) => aSite(...given)],
  [adaptiveSites, (...given) => aSite(...given)],
  [
    siteSections,
    async (test, side, _caller, builtSoFar) => {
      const at = `/sites/${builtSoFar.get(sites)}`;
      const spaceId = await aShownSpace(test, side);
      const section = await post(test, side, `${at}/sections`, { body: { spaceId } });
      const groupId = builtSoFar.get(siteSectionGroups);
      if (groupId)
        await post(test, side, `${at}/section-groups/${groupId}/sections`, {
          body: { sectionId: section.id },
        });
      return section;
    },
  ],
  [
    siteSectionGroups,
    (test, side, _caller, builtSoFar) =>
      post(test, side, `/sites/${builtSoFar.get(sites)}/section-groups`, {
        body: { title: `Of marker-${side.name}` },
      }),
  ],
  [siteSpaces, (...given) => aSiteSpace(...given)],
  [customizedSiteSpaces, (...given) => aSiteSpace(...given)],
  [siteRedirects, (...given) => aRedirect(...given)],
  [customHostnames, (...given) => aHostname(...given)],
  [
    subdomains,
    async (test, side) => {
      const hostname = `marker-${side.name}-${newId().slice(0, 8)}`.toLowerCase();
      await test.sql('update organizations set hostname = $1 where id = $2', [hostname, side.organizationId]);
      return { id: hostname };
    },
  ],
  [
    shareLinks,
    (test, side, _caller, builtSoFar) =>
      post(test, side, `/sites/${builtSoFar.get(sites)}/share-links`, {
        body: { name: `Of marker-${side.name}` },
      }),
  ],
  [linkInvites, (test, side) => post(test, side, '/link-invites', { body: { role: 'read' } })],
  [emailInvites, anEmailInvite],
  [
    joinableInvites,
    async (test, side) => ({
      ...(await post(test, side, '/link-invites', { body: { role: 'read' } })),
      caller: (await aPerson(test, 'joiner')).token,
    }),
  ],
  [
    tokens,
    async (test, _side, caller) => {
      const { row } = await insertToken(test.app.installation.connection.db, caller.id, { label: 'Built' });
      return { id: row.token_id };
    },
  ],
]);

const aSite: Builder = (test, side) =>
  post(test, side, '/sites', { body: { title: `Site of marker-${side.name}` } });

const aSiteSpace: Builder = async (test, side, _caller, builtSoFar) => {
  const siteId = builtSoFar.get(sites) ?? builtSoFar.get(publishedSites);
  const body = { spaceId: await aShownSpace(test, side) };
  return post(test, side, `/sites/${siteId}/site-spaces`, { body });
};

/** The URL of a published site with a space; of the given site, if there is one. */
export async function aPublishedUrl(test: TestApp, side: Side, given?: string): Promise<string> {
  const siteId = given ?? (await post(test, side, '/sites', { body: { title: 'For every reader' } })).id;
  await post(test, side, `/sites/${siteId}/site-spaces`, {
    body: { spaceId: await aShownSpace(test, side) },
  });
  const site = await test.call('POST', `/v1/orgs/${side.organizationId}/sites/${siteId}/publish`, {
    token: side.admin.token,
  });
  return site.body.urls.published;
}

/** The URL of a space in the app. */
export const aSpaceUrl = async (test: TestApp, side: Side): Promise<string> =>
  test.app.context.addresses.of(`/app/spaces/${await aShownSpace(test, side)}`);

const aRedirect: Builder = async (test, side, caller, builtSoFar) => {
  const siteSpaceId = (await aSiteSpace(test, side, caller, builtSoFar)).id;
  const body = { source: `/${newId()}`, destination: { kind: 'site-space', siteSpaceId } };
  return post(test, side, `/sites/${builtSoFar.get(sites)}/redirects`, { body });
};

/** An active hostname. */
const aHostname: Builder = async (test, side, caller, builtSoFar) => {
  const site = (await aSite(test, side, caller, builtSoFar)).id;
  const hostname = `${newId().toLowerCase()}.marker-${side.name}.example`;
  const body = { target: { type: 'site', site } };
  await test.call('PUT', `/v1/custom-hostnames/${hostname}`, { token: side.admin.token, body });
  await test.sql(`update custom_hostnames set proven_by = 'operator' where hostname = $1`, [hostname]);
  return { id: hostname };
};

export async function edit(
  test: TestApp,
  side: Side,
  spaceId: string,
  changes: readonly object[],
): Promise<Answer> {
  const { token } = side.admin;
  const answer = await test.call('POST', `/v1/spaces/${spaceId}/content`, { token, body: { changes } });
  if (answer.status !== 200) throw new Error(`an edit was refused: ${answer.status} ${answer.text}`);
  return answer;
}

/** One entry of every kind. Returns the id of the revision. */
async function fill(test: TestApp, side: Side, spaceId: string): Promise<string> {
  const document = { markdown: `Text of marker-${side.name}` };
  const files = [
    { name: 'sample.txt', base64: Buffer.from(`File of marker-${side.name}`).toString('base64') },
  ];
  const { body } = await edit(test, side, spaceId, [
    { operation: 'insert_page', title: `Page of marker-${side.name}`, document },
    { operation: 'insert_reusable_content', title: `Reused in marker-${side.name}`, document },
    { operation: 'insert_files', files },
  ]);
  return body.revision;
}

/** Both sides rename the same page. */
async function aConflict(test: TestApp, side: Side, spaceId: string, requestId: string): Promise<string> {
  const { token } = side.admin;
  const request = `/v1/spaces/${spaceId}/change-requests/${requestId}`;
  const { body } = await test.call('GET', `/v1/spaces/${spaceId}/content/pages`, { token });
  const rename = (title: string) => ({ operation: 'update_page', page: body.pages[0].id, title });
  await edit(test, side, spaceId, [rename('Here')]);
  await test.call('POST', `${request}/content`, { token, body: { changes: [rename('There')] } });
  await test.call('POST', `${request}/update`, { token });
  return (await test.call('GET', `${request}/conflicts`, { token })).body.items[0].id;
}

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

/** A run that waits for its job. */
const anImportRun: Builder = async (test, side) => {
  const space = await post(test, side, '/spaces', { body: { title: `Of marker-${side.name}` } });
  const id = newId();
  const source = { type: 'website', url: `https://marker-${side.name}.example/` };
  await test.sql('insert into import_runs (id, space_id, user_id, source) values ($1, $2, $3, $4)', [
    id,
    space.id,
    side.admin.id,
    source,
  ]);
  return { id };
};

/** An operation that waits for its job. */
const aGitOperation: Builder = async (test, side, _caller, builtSoFar) => {
  const id = newId();
  const request = {
    url: `https://marker-${side.name}.example/docs.git`,
    ref: 'refs/heads/main',
    directory: '',
  };
  await test.sql(
    `insert into git_operations (id, space_id, user_id, direction, cause, request, ordered_at)
     values ($1, $2, $3, 'import', 'api', $4, now())`,
    [id, builtSoFar.get(spaces), side.admin.id, request],
  );
  return { id };
};

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

/** For ids of other organizations (a transfer): another organization that the caller is an admin of. */
export const anotherOrganization: Builder = async (test, side, caller) => ({
  id: await createOrganizationWithAdmin(
    test.app.installation.connection.db,
    { title: `Elsewhere marker-${side.name}` },
    caller.id,
  ),
});

/** A new member or team, with which the space, collection or site of the same request is shared. */
const aGrant =
  (within: Resource, key: string): Builder =>
  async (test, side, caller, builtSoFar) => {
    const grantee = key === 'user_id' ? members : teams;
    const built = await builders.get(grantee)?.(test, side, caller, builtSoFar);
    const prefix =
      within === sites ? `orgs/${side.organizationId}/sites` : within === spaces ? 'spaces' : 'collections';
    await test.call('POST', `/v1/${prefix}/${builtSoFar.get(within)}/permissions`, {
      token: side.admin.token,
      body: { role: 'read', [key === 'user_id' ? 'users' : 'teams']: [built?.id] },
    });
    return built ?? { id: '' };
  };

export function builderOf(resource: Resource): Builder | undefined {
  const isGrant = resource.name.endsWith(' permission');
  return isGrant && resource.within ? aGrant(resource.within, resource.key) : builders.get(resource);
}
