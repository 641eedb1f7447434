import { beforeAll, describe, expect, test } from 'vitest';
import { startApp, type Answer, type TestApp } from '../../../test/app.ts';
import { contentsOf, insert, type Contents } from '../../../test/content.ts';
import { aSide } from '../../../test/world.ts';

let app: TestApp;
let contents: Contents;

beforeAll(async () => {
  app = await startApp();
  contents = contentsOf(app, await aSide(app, 'order'));
});

async function aSpaceWith(...pages: object[]): Promise<string> {
  const space = await contents.aSpace();
  await contents.edit(space, ...pages);
  return space;
}

const search = (space: string, query: string): Promise<Answer['body']> =>
  contents.get(`${space}/search?query=${encodeURIComponent(query)}`);
const titles = async (space: string, query: string): Promise<string[]> =>
  (await search(space, query)).items.map((item: { title: string }) => item.title);

describe('the order of results', () => {
  test('is exact title, longer titles, headings, text', async () => {
    const space = await aSpaceWith(
      insert('Text', 'About deployment.'),
      insert('Heading', '## Deployment\n\nx'),
      insert('Kubernetes Deployment', 'deployment '.repeat(40)),
      insert('Deployment', 'x'),
      insert('Deployment Guide', 'deployment deployment'),
    );
    const found = await titles(space, 'Deployment');
    expect(found[0]).toBe('Deployment');
    expect(new Set(found.slice(1, 3))).toEqual(new Set(['Kubernetes Deployment', 'Deployment Guide']));
    expect(found.slice(3)).toEqual(['Heading', 'Text']);
  });

  test.each(['kubernetes deployment', 'Kubernetes: Deployment!', 'KUBERNETES-DEPLOYMENT'])(
    'begins with the exact title for the query %s',
    async (query) => {
      const space = await aSpaceWith(
        insert('Deployment: Kubernetes deployment on many clusters', 'kubernetes deployment '.repeat(30)),
        insert('Kubernetes Deployment', 'x'),
      );
      expect((await titles(space, query))[0]).toBe('Kubernetes Deployment');
    },
  );

  test('has phrases before scattered words, even after 100 occurrences of each word', async () => {
    const space = await aSpaceWith(
      insert('Scattered', 'retry retry retry, policy policy policy'),
      insert('Late', `${'The policy of a retry. '.repeat(200)}\n\n## More\n\nThe retry policy.`),
    );
    expect(await titles(space, 'retry policy')).toEqual(['Late', 'Scattered']);
  });

  test('has phrases first even after a thousand words of one paragraph', async () => {
    const space = await aSpaceWith(
      insert('Scattered', 'b a'),
      insert('Late', `${'a. c, '.repeat(600)} ${'b c '.repeat(300)} a b`),
    );
    expect(await titles(space, 'a b ')).toEqual(['Late', 'Scattered']);
  });
});

describe('an identifier is found', () => {
  test.each([
    [
      'WorkflowInstanceManager',
      ['instance manager', 'workflow', 'Manager', 'InstanceManager', 'workflowinst'],
    ],
    ['workflow_instance_manager', ['instance manager', 'workflow_instance', 'InstanceManager']],
    ['workflow-instance-manager', ['instance manager', 'WorkflowInstanceManager']],
    ['workflow.instance.manager', ['instance manager', 'workflow.instance']],
    ['getHTTPResponse2xx', ['http response', 'response 2', '2xx', 'getHTTPResponse']],
    ['sha256sum', ['sha256 sum', 'sum', 'sha 256', 'sha256']],
    ['OAuth2Client', ['oauth2 client', 'oauth 2 client', 'auth', 'OAuth2Client']],
    ['IWorkflowManager', ['workflow manager', 'iworkflow manager']],
  ])('%s by %j', async (identifier, queries) => {
    const space = await aSpaceWith(
      insert('Other', 'Nothing of it.'),
      insert('Reference', `${'Words before it. '.repeat(40)} Call \`${identifier}\` once.`),
    );
    for (const query of queries) {
      const { items } = await search(space, query);
      expect(items, query).toMatchObject([{ title: 'Reference' }]);
      expect(items[0].sections[0].body, query).toContain(identifier);
    }
  });

  test('alone by its full name, together with its parts only if no page has the full name', async () => {
    const space = await aSpaceWith(
      insert('Prose', 'Each workflow has an instance, and a manager.'),
      insert('Reference', 'The WorkflowInstanceManager.'),
    );
    expect(await titles(space, 'WorkflowInstanceManager')).toEqual(['Reference']);
    expect(await titles(space, 'workflowinstancemanager')).toEqual(['Reference']);
    expect(await titles(space, 'InstanceManager')).toEqual(['Reference', 'Prose']);
  });

  test('after the word itself', async () => {
    const space = await aSpaceWith(insert('Name', 'GitHub'), insert('Word', 'git'));
    expect(await titles(space, 'git ')).toEqual(['Word', 'Name']);
  });

  test('despite a typo in one of its parts', async () => {
    const space = await aSpaceWith(insert('Reference', 'The WorkflowInstanceManager.'));
    expect(await titles(space, 'instnace manager')).toEqual(['Reference']);
  });
});

test('words after the 24th of a query are ignored', async () => {
  const space = await aSpaceWith(insert('Page', 'word'));
  expect(await titles(space, `${'word '.repeat(24)}nowhere `)).toEqual(['Page']);
});
