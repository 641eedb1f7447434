import { integrationEvents } from '../../src/domains/integrations/events/policy.ts';
import {
  installations,
  installedIntegrations,
  siteInstallations,
  spaceInstallations,
} from '../../src/domains/integrations/installations/policy.ts';
import { integrations, publishers } from '../../src/domains/integrations/policy.ts';
import type { Resource } from '../../src/platform/api/resource.ts';
import type { TestApp } from '../app.ts';
import { anIntegration } from '../integrations.ts';
import type { Side } from '../world.ts';
import { type Builder, post } from './builder.ts';

/** On the organization of its publisher. */
const anInstallation: Builder = async (test, side, _caller, builtSoFar) => {
  const path = `/v1/integrations/${builtSoFar.get(integrations)}/installations`;
  const { token } = side.admin;
  const { status, body, text } = await test.call('POST', path, {
    token,
    body: { organization: side.organizationId },
  });
  if (status !== 201) throw new Error(`the installation was refused: ${status} ${text}`);
  return { id: body.id };
};

async function installOn(
  test: TestApp,
  side: Side,
  builtSoFar: ReadonlyMap<Resource, string>,
  kind: 'spaces' | 'sites',
) {
  const { id } = await post(test, side, `/${kind}`, { body: { title: `Installed on marker-${side.name}` } });
  const path = `/v1/integrations/${builtSoFar.get(integrations)}/installations/${builtSoFar.get(installations)}`;
  const body = kind === 'spaces' ? { space: id } : { siteId: id };
  const { status, text } = await test.call('POST', `${path}/${kind}`, { token: side.admin.token, body });
  if (status !== 201) throw new Error(`the installation was refused: ${status} ${text}`);
  return { id };
}

export const integrationsBuilders: readonly (readonly [Resource, Builder])[] = [
  [publishers, async (_test, side) => ({ id: side.organizationId })],
  [integrations, async (test, side) => ({ id: await anIntegration(test, side) })],
  [installations, anInstallation],
  [
    installedIntegrations,
    async (test, side, caller) => {
      const name = await anIntegration(test, side);
      await anInstallation(test, side, caller, new Map([[integrations, name]]));
      return { id: name };
    },
  ],
  [spaceInstallations, (test, side, _caller, builtSoFar) => installOn(test, side, builtSoFar, 'spaces')],
  [siteInstallations, (test, side, _caller, builtSoFar) => installOn(test, side, builtSoFar, 'sites')],
  [
    integrationEvents,
    async (test, side, caller, builtSoFar) => {
      await anInstallation(test, side, caller, builtSoFar);
      const path = `/v1/integrations/${builtSoFar.get(integrations)}/events`;
      const { body } = await test.call('GET', path, { token: side.admin.token });
      return { id: body.items[0].id };
    },
  ],
];
