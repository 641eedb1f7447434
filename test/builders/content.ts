import { collections } from '../../src/domains/collections/index.ts';
import { primaryContent } from '../../src/domains/content/policy.ts';
import { gitOperations } from '../../src/domains/git-sync/policy.ts';
import { importRuns } from '../../src/domains/imports/policy.ts';
import { revisions } from '../../src/domains/revisions/policy.ts';
import { spaces, spacesAndDeleted } from '../../src/domains/spaces/policy.ts';
import { newId } from '../../src/platform/api/ids.ts';
import type { Resource } from '../../src/platform/api/resource.ts';
import type { Answer, TestApp } from '../app.ts';
import type { Side } from '../world.ts';
import { type Builder, post } from './builder.ts';

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
export async function fill(test: TestApp, side: Side, spaceId: string): Promise<string> {
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

export const contentBuilders: readonly (readonly [Resource, Builder])[] = [
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
  [importRuns, anImportRun],
  [gitOperations, aGitOperation],
];
