import { uploadTargets } from '../../src/domains/content/policy.ts';
import { emailInvites, joinableInvites, linkInvites } from '../../src/domains/invites/policy.ts';
import { createOrganizationWithAdmin, members } from '../../src/domains/members/index.ts';
import { joinableOrganizations, organizations } from '../../src/domains/organizations/index.ts';
import { people } from '../../src/domains/organizations/policy.ts';
import { teamMembers, teams } from '../../src/domains/teams/policy.ts';
import { insertToken, users } from '../../src/domains/users/index.ts';
import { tokens } from '../../src/domains/users/policy.ts';
import { newId } from '../../src/platform/api/ids.ts';
import type { Resource } from '../../src/platform/api/resource.ts';
import { aPerson, aMember } from '../world.ts';
import { type Builder, post } from './builder.ts';

const anEmailInvite: Builder = async (test, side) => {
  const email = `${newId().toLowerCase()}@invited.example`;
  const { token } = side.admin;
  await test.call('POST', `/v1/orgs/${side.organizationId}/invites`, { token, body: { emails: [email] } });
  const [row] = await test.sql('select id from invites where email = $1', [email]);
  return { id: String(row?.['id']) };
};

export const peopleBuilders: readonly (readonly [Resource, Builder])[] = [
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
];

/** For ids of other organizations (a transfer): another organization that the caller is an admin of. */
export const anotherOrganization: Builder = async (test, side, caller) => ({
  id: await createOrganizationWithAdmin(
    test.app.installation.connection.db,
    { title: `Elsewhere marker-${side.name}` },
    caller.id,
  ),
});
