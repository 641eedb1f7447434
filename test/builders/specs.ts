import { openapiSpecs, specVersions } from '../../src/domains/openapi-specs/policy.ts';
import type { Resource } from '../../src/platform/api/resource.ts';
import { aSpec, readAllSpecs } from '../specs.ts';
import type { Builder } from './builder.ts';

export const specsBuilders: readonly (readonly [Resource, Builder])[] = [
  [
    openapiSpecs,
    async (test, side) => {
      const id = await aSpec(test, side);
      await readAllSpecs(test);
      return { id };
    },
  ],
  [
    specVersions,
    async (test, side, _caller, builtSoFar) => {
      const path = `/v1/orgs/${side.organizationId}/openapi/${builtSoFar.get(openapiSpecs)}`;
      const { body } = await test.call('GET', path, { token: side.admin.token });
      return { id: body.lastVersion };
    },
  ],
];
