import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { IS_EXHAUSTIVE } from '../exhaustive.ts';
import { copyCheckout, linkPackages } from './checkout.ts';
import { launch, processesOf, ROOT, startProgram, temporaryDirectory, type Program } from './program.ts';

/** Packages are fetched, as `npm ci` fetches them: `npm test` needs no network. */
const TIMEOUT = 900_000;

/** Without what a surrounding `npm test` sets, except where packages come from, and without settings of the program. */
const ENVIRONMENT = {
  ...Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) =>
        /^npm_config_(registry|cache|userconfig)$/.test(name) ||
        !/^(npm_|NODE_ENV$|VITEST|OCTAVO_|DATABASE_URL$)/i.test(name),
    ),
  ),
  npm_config_prefer_offline: 'true',
  npm_config_audit: 'false',
  npm_config_fund: 'false',
};

function run(folder: string, [file = '', ...args]: readonly string[], env: object = {}) {
  const options = { cwd: folder, encoding: 'utf8', env: { ...ENVIRONMENT, ...env } } as const;
  return spawnSync(file, args, { ...options, timeout: TIMEOUT / 2 });
}

interface Answer {
  readonly id: string;
  readonly url: string;
  readonly items: readonly { readonly id: string }[];
}

/** The parts that are read from files of packages: fonts, the compiler, native code, the script of the reference. */
async function expectComplete({ url, token }: Program): Promise<void> {
  const reference = await (await fetch(`${url}/reference`)).text();
  const script = /src="(\/reference\/[^"]+\.js)"/.exec(reference)?.[1] ?? '';
  expect((await fetch(url + script)).status).toBe(200);
  const call = async (method: string, to: string, body?: object) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const answer = await fetch(url + to, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    return answer.json() as Promise<Answer>;
  };
  const [organization] = (await call('GET', '/v1/orgs')).items;
  const space = await call('POST', `/v1/orgs/${organization?.id}/spaces`, {
    title: 'Guide',
    editMode: 'live',
  });
  const { url: pdf } = await call('GET', `/v1/spaces/${space.id}/pdf`);
  expect((await (await fetch(pdf)).text()).slice(0, 5)).toBe('%PDF-');
}

test.runIf(IS_EXHAUSTIVE)(
  'a packed tarball, installed into an empty prefix, starts in another folder',
  async () => {
    const folder = temporaryDirectory();
    const elsewhere = path.join(folder, 'elsewhere');
    const prefix = path.join(folder, 'prefix');
    mkdirSync(elsewhere);
    // Without `prepare`: other test files use `dist` at the same time.
    const packed = run(ROOT, ['npm', 'pack', '--ignore-scripts', '--pack-destination', folder]);
    expect(packed.status, packed.stderr).toBe(0);
    const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '';
    const installed = run(elsewhere, [
      'npm',
      'install',
      '--global',
      '--prefix',
      prefix,
      path.join(folder, tarball),
    ]);
    expect(installed.status, installed.stderr).toBe(0);
    const octavo = path.join(prefix, 'bin', 'octavo');
    expect(existsSync(path.join(prefix, 'lib/node_modules/octavo/CHANGELOG.md'))).toBe(true);
    const program = await startProgram({ env: {}, command: [octavo, 'serve'], folder: elsewhere });
    await expectComplete(program);
    // The hint is the path that was started, and runs in any folder.
    const hint = /Lost your token\? (.*)\n$/.exec(program.stdout())?.[1] ?? '';
    expect(hint).toBe(`OCTAVO_DATA=${elsewhere}/data ${octavo} token create --user admin@localhost`);
    const { stdout } = await launch({ env: {}, command: ['sh', '-c', hint], folder: '/' }).ended;
    expect(stdout).toMatch(/^ov_\w+\n$/);
    expect(await program.stop()).toMatchObject({ code: 0, messages: [] });
    expect(processesOf(folder)).toEqual([]);
  },
  TIMEOUT,
);

test.runIf(IS_EXHAUSTIVE)(
  'npm ci --omit=dev says that it cannot build, and what was built elsewhere starts, in production, too',
  async () => {
    const folder = temporaryDirectory();
    const checkout = copyCheckout(path.join(folder, 'octavo'));
    const installed = run(checkout, ['npm', 'ci', '--omit=dev']);
    expect(installed.status, installed.stderr).toBe(0);
    expect(installed.stderr).toContain('Run: npm ci --include=dev && npm prune --omit=dev');
    expect(existsSync(path.join(checkout, 'node_modules/@scalar'))).toBe(false);

    const env = { NODE_ENV: 'production' };
    const started = run(checkout, ['npm', 'start'], env);
    expect(started.status).toBe(1);
    expect(started.stderr).toContain('Octavo cannot be built');
    const program = run(checkout, [path.join(checkout, 'bin/octavo.js'), 'serve'], env);
    expect(program.status).toBe(1);
    expect(program.stderr).toBe(`Octavo is not built. Run in ${checkout}/: npm ci --include=dev\n`);

    cpSync(path.join(ROOT, 'dist'), path.join(checkout, 'dist'), { recursive: true });
    const serving = await startProgram({ env, command: ['npm', 'start'], folder: checkout, detached: true });
    await expectComplete(serving);
    expect(await serving.stop()).toMatchObject({ code: 0 });
    expect(processesOf(folder)).toEqual([]);
  },
  TIMEOUT,
);

test('the build makes only what is missing or stale', () => {
  const checkout = copyCheckout(path.join(temporaryDirectory(), 'octavo'));
  linkPackages(checkout);
  const outputs = ['main.js', 'assets/reference.js', 'site/manifest.json'].map((name) =>
    path.join(checkout, 'dist', name),
  );
  /** Which outputs the build writes. */
  const built = () => {
    const long = new Date(0);
    for (const file of outputs.filter((name) => existsSync(name))) utimesSync(file, long, long);
    expect(run(checkout, [process.execPath, 'build.js'])).toMatchObject({ status: 0, stderr: '' });
    return outputs.filter((file) => statSync(file).mtimeMs > 0).map((file) => path.basename(file));
  };
  const change = (file: string) => appendFileSync(path.join(checkout, file), '\n');
  expect(built()).toEqual(['main.js', 'reference.js', 'manifest.json']);
  expect(built()).toEqual([]);
  change('src/main.test.ts');
  expect(built()).toEqual([]);
  change('build-assets.js');
  expect(built()).toEqual(['reference.js']);
  change('src/commands/server/serve.ts');
  expect(built()).toEqual(['main.js']);
  change('src/site/style/base.css');
  expect(built()).toEqual(['main.js', 'manifest.json']);
  rmSync(path.join(checkout, 'dist/site'), { recursive: true });
  expect(built()).toEqual(['manifest.json']);
  change('package-lock.json');
  expect(built()).toEqual(['main.js', 'reference.js', 'manifest.json']);
});
