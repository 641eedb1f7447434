import { execFile } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { docx, paragraph } from '../docx.ts';
import { startGitRemote } from '../git-remote.ts';
import { aPage, respond, serveSite } from '../site.ts';
import { writeStoredZip } from '../../src/platform/zip/index.ts';
import { startedBefore } from './data-directory.ts';
import { queryEmbedded } from './database.ts';
import { ROOT, startProgram, temporaryDirectory } from './program.ts';

/** Examples that do not run here, by what they contain, and why. */
const NOT_RUN: Readonly<Record<string, string>> = {
  'npm ci && npm start':
    'installs and starts the program: installation.test.ts, crash.test.ts and .ci/run do this',
  'npm ci --include=dev && npm prune --omit=dev': 'changes the packages that the tests use',
  'npm install --global .': 'changes the machine',
  'git pull': 'needs another version; the copy of the data is made below',
  'npx @gitbook/cli': 'needs the network: conformance/command-line-tool.test.ts',
  pg_dump: 'needs the client programs of PostgreSQL',
  'mv data-before-upgrade': 'needs a stopped server: run below',
  pg_restore: 'needs the client programs of PostgreSQL',
};

const PAGES = ['README.md', ...readdirSync(path.join(ROOT, 'docs')).map((name) => `docs/${name}`)].filter(
  (name) => name.endsWith('.md'),
);

/** The shell blocks of a page, in their order. */
const blocksOf = (page: string): string[] =>
  [...readFileSync(path.join(ROOT, page), 'utf8').matchAll(/^```sh\n(.*?)^```$/gms)].map(
    (match) => match[1] ?? '',
  );

const isRun = (block: string) => !Object.keys(NOT_RUN).some((text) => block.includes(text));

const folder = temporaryDirectory();
const work = path.join(folder, 'work');
let environment: NodeJS.ProcessEnv;
/** Addresses of examples, and the servers of this test that take their place. Nothing else of an example is changed. */
let servers: readonly (readonly [example: RegExp, server: string])[];
let prelude: string;

beforeAll(async () => {
  const website = await serveSite({
    '/guide/': aPage('Guide', '<p>Text</p>'),
    '/a.png': respond(200, { 'content-type': 'image/png' }, 'picture'),
  });
  const remote = await startGitRemote();
  const repository = await remote.addRepository();
  await repository.commit({ 'README.md': '# Welcome\n' });
  const OCTAVO_DATA = await startedBefore(path.join(folder, 'data'));
  const allowed = [`127.0.0.1:${website.port}`, new URL(remote.origin).host].join();
  const { url } = await startProgram({ env: { OCTAVO_DATA, OCTAVO_OUTBOUND_ALLOW: allowed }, shared: true });
  servers = [
    [/http:\/\/localhost:3000/g, url],
    [/https:\/\/example\.org\/a\.png/g, `${website.url}/a.png`],
    [/https:\/\/docs\.example\.org\/guide\//g, `${website.url}/guide/`],
    [/https:\/\/receiver\.example\.org\/hook/g, `${website.url}/guide/`],
    [/https:\/\/(user:token@)?git\.example\.com\/acme\/docs\.git/g, repository.url],
  ];
  prelude = blocksOf('docs/api.md').find((block) => block.startsWith('OCTAVO_URL=')) ?? '';

  const bin = path.join(folder, 'bin');
  mkdirSync(bin);
  symlinkSync(path.join(ROOT, 'bin/octavo.js'), path.join(bin, 'octavo'));
  // A response with an error fails the example.
  writeFileSync(path.join(bin, 'curl'), '#!/bin/sh\nPATH=${PATH#*:} exec curl --fail-with-body "$@"\n');
  chmodSync(path.join(bin, 'curl'), 0o755);
  const { PATH = '', HOME = '/' } = process.env;
  environment = { PATH: `${bin}:${PATH}`, HOME, OCTAVO_DATA };

  mkdirSync(work);
  cpSync(path.join(ROOT, 'docs'), path.join(work, 'docs'), { recursive: true });
  const page = { name: 'Guide.md', bytes: Buffer.from('# Guide\n') };
  writeFileSync(path.join(work, 'notion-export.zip'), writeStoredZip([page]));
  writeFileSync(
    path.join(work, 'openapi.yaml'),
    'openapi: 3.1.0\ninfo: {title: Pets, version: "1"}\npaths: {}\n',
  );
  writeFileSync(path.join(work, 'report.docx'), docx(paragraph('Report', 'Heading1')));
});

test('the list of examples that are not run has no others', () => {
  const all = PAGES.flatMap(blocksOf).join('\n');
  expect(Object.keys(NOT_RUN).filter((text) => !all.includes(text))).toEqual([]);
});

test.each(PAGES.filter((page) => blocksOf(page).some(isRun)))(
  'the examples of %s run as they are printed',
  async (page) => {
    const blocks = blocksOf(page).filter(isRun);
    const own = blocks.some((block) => block.startsWith('OCTAVO_URL='));
    const script = ['set -euo pipefail', ...(own ? [] : [prelude]), ...blocks].join('\n');
    const local = servers.reduce((text, [example, server]) => text.replaceAll(example, server), script);
    const { code, output } = await runScript(local);
    expect(code, output).toBe(0);
  },
);

test('a data directory that was backed up as printed is restored as printed, after a later version has migrated it', async () => {
  const own = path.join(folder, 'own');
  mkdirSync(own);
  const data = await startedBefore(path.join(own, 'data'));
  const upgrade = blocksOf('docs/upgrade.md').flatMap((block) => block.split('\n'));
  const octavo = (script: string) =>
    runScript(`set -e\n${script}`, own, { ...environment, OCTAVO_DATA: data });
  expect(await octavo(upgrade.find((line) => line.startsWith('cp ')) ?? 'false')).toMatchObject({ code: 0 });
  await queryEmbedded(data, `insert into kysely_migration values ('9999-later', now()::text)`);
  expect(await octavo('octavo org list')).toMatchObject({
    code: 1,
    output: expect.stringContaining('The database is newer than this program'),
  });
  const restored = upgrade.filter((line) => line.startsWith('mv ')).join('\n');
  expect(await octavo(`${restored}\noctavo org list`)).toMatchObject({
    code: 0,
    output: expect.stringContaining('My organization'),
  });
});

const runScript = (script: string, cwd = work, env = environment) =>
  new Promise<{ code: unknown; output: string }>((resolve) => {
    execFile('bash', ['-c', script], { cwd, env }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, output: `${stdout}\n${stderr}` }),
    );
  });
