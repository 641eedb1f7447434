import { members } from '../../src/domains/members/index.ts';
import { sites } from '../../src/domains/sites/policy.ts';
import { spaces } from '../../src/domains/spaces/policy.ts';
import { teams } from '../../src/domains/teams/policy.ts';
import type { Resource } from '../../src/platform/api/resource.ts';
import type { Builder } from './builder.ts';
import { contentBuilders } from './content.ts';
import { integrationsBuilders } from './integrations.ts';
import { peopleBuilders } from './people.ts';
import { reviewsBuilders } from './reviews.ts';
import { sitesBuilders } from './sites.ts';
import { specsBuilders } from './specs.ts';
import { webhooksBuilders } from './webhooks.ts';

/** How to create each resource. A new resource is added to its list, and every loop over the operations covers it. */
const builders = new Map<Resource, Builder>([
  ...peopleBuilders,
  ...contentBuilders,
  ...reviewsBuilders,
  ...sitesBuilders,
  ...specsBuilders,
  ...webhooksBuilders,
  ...integrationsBuilders,
]);

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
