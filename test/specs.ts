import { readSpecs } from '../src/domains/openapi-specs/jobs.ts';
import { newId } from '../src/platform/api/ids.ts';
import type { TestApp } from './app.ts';
import { jobContext } from './import-runs.ts';
import type { Side } from './world.ts';

/** OpenAPI specifications of organizations. */

export const SPECIFICATION = {
  openapi: '3.1.0',
  info: { title: 'Pets', version: '1.0.0' },
  paths: {
    '/pets/{id}': {
      get: {
        operationId: 'getPet',
        summary: 'Get a pet',
        responses: {
          200: {
            description: 'The pet',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } },
          },
        },
      },
    },
  },
  components: {
    schemas: {
      Pet: {
        type: 'object',
        properties: {
          name: { type: 'string' },
          friends: { type: 'array', items: { $ref: '#/components/schemas/Pet' } },
        },
      },
    },
  },
};

/** Returns its slug. */
export async function aSpec(
  app: TestApp,
  { organizationId, admin, name }: Side,
  source: object = {
    text: JSON.stringify({ ...SPECIFICATION, info: { title: `marker-${name}`, version: '1' } }),
  },
): Promise<string> {
  const slug = `spec-${newId().toLowerCase()}`;
  const answer = await app.call('POST', `/v1/orgs/${organizationId}/openapi`, {
    token: admin.token,
    body: { slug, source },
  });
  if (answer.status !== 201) throw new Error(`a specification was refused: ${answer.status} ${answer.text}`);
  return slug;
}

/** Reads the sources that are due, as the worker does. */
export const readAllSpecs = (app: TestApp): Promise<void> => readSpecs.run(jobContext(app), {});
