import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../app.ts';
import { IS_EXHAUSTIVE } from '../exhaustive.ts';
import { PNG } from '../integrations.ts';
import { readAllSpecs } from '../specs.ts';
import { aSide, type Side } from '../world.ts';

/** The unmodified command-line tool of GitBook. With its 190 MB of packages, npm installs it for this test only. */
const PACKAGE = '@gitbook/cli@0.25.1';
const INSTALL_MS = 300_000;

const MANIFEST = `
name: word-counter
title: Word counter
icon: ./icon.png
description: Counts words.
summary: |
  # Overview
  It counts.
visibility: private
script: ./src/index.ts
scopes: [space:content:read, space:metadata:read]
categories: [content]
target: space
previewImages: [./icon.png]
externalLinks:
  - label: Documentation
    url: https://words.example/docs
configurations:
  account:
    properties:
      language: { type: string, title: Language, enum: [en, de] }
    required: [language]
secrets:
  KEY: \${{ env.WORD_COUNTER_KEY }}
`;

let app: TestApp;
let side: Side;
let folder: string;
let endpoint: string;

interface Finished {
  readonly code: number | null;
  readonly output: string;
}

/** Beside the server, which this process is. `until`: ends a command that otherwise never does. */
function gitbook(args: readonly string[], { input = '', until = /(?!)/ } = {}): Promise<Finished> {
  const child = spawn(process.execPath, [path.join(folder, 'node_modules/@gitbook/cli/cli.js'), ...args], {
    cwd: path.join(folder, 'project'),
    env: {
      PATH: process.env['PATH'],
      HOME: folder,
      XDG_CONFIG_HOME: path.join(folder, 'config'),
      TMPDIR: path.join(folder, 'built'),
      WORD_COUNTER_KEY: 'canary-of-the-tool',
      CI: '1',
    },
  });
  let output = '';
  const read = (text: string) => {
    output += text;
    if (until.test(output)) child.kill();
  };
  child.stdout.setEncoding('utf8').on('data', read);
  child.stderr.setEncoding('utf8').on('data', read);
  child.stdin.end(input);
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, output })));
}

const get = (to: string) => app.call('GET', to, { token: side.admin.token });
const publish = () => gitbook(['publish', '--organization', side.organizationId]);

describe.runIf(IS_EXHAUSTIVE)('the command-line tool of GitBook', () => {
  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'octavo-tool-'));
    mkdirSync(path.join(folder, 'built'));
    mkdirSync(path.join(folder, 'project/src'), { recursive: true });
    const write = (name: string, content: string | Buffer) =>
      writeFileSync(path.join(folder, 'project', name), content);
    // The organization is that of --organization.
    write('gitbook-manifest.yaml', `${MANIFEST}organization: elsewhere\n`);
    write('icon.png', Buffer.from(PNG, 'base64'));
    write('src/count.ts', 'export const count = (text: string): number => text.split(/ +/).length;\n');
    write(
      'src/index.ts',
      "import { count } from './count';\nexport default { fetch: () => count('a b') };\n",
    );
    write('petstore.yaml', 'openapi: 3.1.0\ninfo: { title: Pets, version: "1" }\npaths: {}\n');
    writeFileSync(path.join(folder, 'package.json'), '{}');
    const installed = spawnSync(
      'npm',
      ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', PACKAGE],
      { cwd: folder, encoding: 'utf8', timeout: INSTALL_MS },
    );
    if (installed.status !== 0) throw new Error(`the tool was not installed: ${installed.stderr}`);
    app = await startApp();
    side = await aSide(app, 'alpha');
    endpoint = await app.app.server.listen({ port: 0, host: '127.0.0.1' });
  }, INSTALL_MS);

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('authenticates, and says who is authenticated', async () => {
    const wrong = await gitbook(['auth', '--token', 'wrong', '--endpoint', endpoint]);
    expect(wrong).toMatchObject({ code: 1, output: expect.stringContaining('The token is invalid') });
    const right = await gitbook(['auth', '--token', side.admin.token, '--endpoint', endpoint]);
    expect(right).toMatchObject({ code: 0, output: expect.stringContaining('authenticated as alpha-admin') });
    const { output } = await gitbook(['whoami']);
    expect(output).toContain(`ID: ${side.admin.id}`);
    expect(output).toContain(`Email: ${side.admin.email}`);
  });

  test('publishes an integration, and its next version', async () => {
    const { code, output } = await publish();
    expect(code, output).toBe(0);
    expect(output).toContain('Integration "word-counter" published');
    const first = await get('/v1/integrations/word-counter');
    expect(first.body).toMatchObject({
      version: 1,
      title: 'Word counter',
      target: 'space',
      scopes: ['space:content:read', 'space:metadata:read'],
      configurations: { account: { required: ['language'] } },
    });
    expect((await app.call('GET', new URL(first.body.urls.icon).pathname)).status).toBe(200);
    const [row] = await app.sql('select script, runtime from integrations');
    expect(row).toMatchObject({ runtime: 'v2', script: expect.stringContaining('split(') });
    expect((await publish()).code).toBe(0);
    expect((await get('/v1/integrations/word-counter')).body.version).toBe(2);
  });

  test('reports why it may not publish', async () => {
    const { code, output } = await gitbook(['publish']);
    expect(code).toBe(1);
    expect(output).toContain('Organization "elsewhere" (body.organization) was not found');
  });

  test('publishes an OpenAPI specification from a file', async () => {
    const args = [
      'openapi',
      'publish',
      'petstore.yaml',
      '--spec',
      'pets',
      '--organization',
      side.organizationId,
    ];
    const { code, output } = await gitbook(args);
    expect(code, output).toBe(0);
    expect(output).toContain('"pets" published');
    await readAllSpecs(app);
    const latest = await get(`/v1/orgs/${side.organizationId}/openapi/pets/versions/latest/content`);
    expect(latest.body.filesystem).toMatchObject([{ specification: { info: { title: 'Pets' } } }]);
  });

  test('prints the events of an integration', async () => {
    const path = '/v1/integrations/word-counter/installations';
    await app.call('POST', path, {
      token: side.admin.token,
      body: { organization: side.organizationId },
    });
    const { output } = await gitbook(['tail'], { until: /\[error\] Not delivered/ });
    expect(output).toContain('"type":"installation_setup"');
    expect(output).toContain('"status":"pending"');
  });

  test('unpublishes an integration', async () => {
    const { code, output } = await gitbook(['unpublish', 'word-counter'], { input: 'y\n' });
    expect(output).toContain('"word-counter" has been deleted');
    expect(code).toBe(0);
    expect((await get('/v1/integrations/word-counter')).status).toBe(404);
  });
});
