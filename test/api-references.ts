import { expect } from 'vitest';
import { expandPages } from '../src/domains/computed-pages/jobs.ts';
import type { Answer, TestApp } from './app.ts';
import { contentsOf, idsOf, insert } from './content.ts';
import { jobContext } from './import-runs.ts';
import { aSpec, readAllSpecs } from './specs.ts';
import type { Side } from './world.ts';

/** Spaces with pages of a specification. */

export interface SpecOperation {
  readonly path: string;
  readonly method?: string;
  readonly id?: string;
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly responses?: object;
}

export const LIST = { path: '/pets', id: 'listPets', summary: 'List pets', tags: ['pets'] };
export const GET = { path: '/pets/{id}', id: 'getPet', summary: 'Get a pet', tags: ['pets'] };
export const ORDER = { path: '/orders', method: 'post', summary: 'Place an order', tags: ['store'] };

export function specification(operations: readonly SpecOperation[], more: object = {}): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const { path, method = 'get', id, ...rest } of operations)
    paths[path] = { ...paths[path], [method]: { operationId: id, responses: {}, ...rest } };
  return { openapi: '3.1.0', info: { title: 'Pets', version: '1' }, paths, ...more };
}

/** A change that inserts an entry. */
export const entry = (spec: string, props: object = {}, more: object = {}) => ({
  operation: 'insert_page',
  type: 'computed',
  computed: { type: 'builtin:openapi', props, dependencies: { spec: { ref: { kind: 'openapi', spec } } } },
  ...more,
});

export const block = (spec: string, path: string, method = 'get'): string =>
  `{% openapi-operation spec="${spec}" path="${path}" method="${method}" %}\n{% endopenapi-operation %}`;

/** Lines of paths and titles. */
export const outline = (pages: readonly Answer['body'][]): string[] =>
  pages.flatMap((page) => [
    `${page.path ?? `(${page.type})`}: ${page.title}`,
    ...outline(page.pages ?? []).map((line) => `  ${line}`),
  ]);

export function apiReferencesOf(app: TestApp, side: Side) {
  const contents = contentsOf(app, side);

  /** Does what the worker does until nothing is left to do. Returns how many expansions ran. */
  async function settle(): Promise<number> {
    for (let count = 0; ;) {
      await app.tellReaders();
      const jobs = await app.sql(
        `delete from graphile_worker._private_jobs j using graphile_worker._private_tasks t
         where t.id = j.task_id and t.identifier = 'openapi.expand' returning j.payload`,
      );
      if (jobs.length === 0) return count;
      for (const { payload } of jobs) await expandPages.run(jobContext(app), payload as { spaceId: string });
      count += jobs.length;
    }
  }

  async function newSpec(document: object): Promise<string> {
    const slug = await aSpec(app, side, { text: JSON.stringify(document) });
    await readAllSpecs(app);
    return slug;
  }

  return {
    contents,
    settle,
    newSpec,
    async replaceSpec(slug: string, document: object): Promise<void> {
      const path = `/v1/orgs/${side.organizationId}/openapi/${slug}`;
      const answer = await contents.call('PUT', path, { source: { text: JSON.stringify(document) } });
      expect(answer.status, answer.text).toBe(200);
      await readAllSpecs(app);
      await settle();
    },
    shown: async (space: string) => outline(await contents.pages(space)),
    /** A space with an entry between two pages. */
    async aReference(document: object, props: object = {}) {
      const spec = await newSpec(document);
      const space = await contents.aSpace();
      const edited = await contents.edit(space, insert('Welcome'), entry(spec, props), insert('Last'));
      await settle();
      return { spec, space, entryId: idsOf(edited)[1] ?? '' };
    },
  };
}
