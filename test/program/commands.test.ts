import { randomBytes } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { beforeAll, describe, expect, test } from 'vitest';
import { writeStoredZip } from '../../src/platform/zip/index.ts';
import { aDatabase, urlOf } from '../databases.ts';
import { docx, paragraph } from '../docx.ts';
import { serveSite } from '../site.ts';
import { parse, UsageError, usageOf, type Command } from '../../src/commands/command.ts';
import { checkLinksCommand } from '../../src/commands/content/check-links.ts';
import { exportCommand } from '../../src/commands/content/export.ts';
import { importCommand } from '../../src/commands/content/import.ts';
import { activateHostname, listHostnames, removeHostname } from '../../src/commands/hostname.ts';
import { listJobs, retryJobs } from '../../src/commands/jobs.ts';
import { migrate } from '../../src/commands/migrate.ts';
import { createOrg, listOrgs } from '../../src/commands/org.ts';
import { serve } from '../../src/commands/server/serve.ts';
import { listSpaces } from '../../src/commands/space.ts';
import { createToken, listTokens, removeToken } from '../../src/commands/token.ts';
import { createUser, disableUser, enableUser, listUsers, proveUser } from '../../src/commands/user.ts';
import { worker } from '../../src/commands/server/worker.ts';
import { startedBefore } from './data-directory.ts';
import { queryEmbedded } from './database.ts';
import { send } from './load.ts';
import {
  processesOf,
  runProgram,
  startProgram,
  temporaryDirectory,
  type Ended,
  type Program,
} from './program.ts';
import { runHere } from './run-here.ts';

const COMMANDS = [
  serve,
  worker,
  migrate,
  createOrg,
  listOrgs,
  createUser,
  listUsers,
  proveUser,
  disableUser,
  enableUser,
  listSpaces,
  listJobs,
  retryJobs,
  createToken,
  listTokens,
  removeToken,
  activateHostname,
  listHostnames,
  removeHostname,
  checkLinksCommand,
  importCommand,
  exportCommand,
];

const folder = temporaryDirectory();
const env = { OCTAVO_DATA: path.join(folder, 'data') };

/** A command's first case runs in a process of its own, and its other cases here. */
const ran = new Set<Command | undefined>();
function octavo(...args: string[]): Promise<Ended> {
  const command = commandOf(args);
  const isFirst = command === undefined || !ran.has(command);
  ran.add(command);
  return isFirst ? runProgram(args, env) : runHere(args, env);
}
const commandOf = (args: readonly string[]) =>
  COMMANDS.findLast(({ name }) => name === args.slice(0, name.split(' ').length).join(' '));

/** Runs a command that must succeed: its result on standard output, nothing else, exit code 0. */
async function result(...args: string[]): Promise<string> {
  const { code, stdout, messages, log } = await octavo(...args);
  expect({ code, messages, log }).toEqual({ code: 0, messages: [], log: [] });
  return stdout;
}

const resultAsJson = async (...args: string[]) => JSON.parse(await result(...args, '--json')) as unknown;

describe('arguments', () => {
  test('--help prints the usage of each command, exit code 0', async () => {
    const overview = await result('--help');
    for (const command of COMMANDS) {
      expect(overview).toContain(`\n  ${command.name} `);
      expect(parse(command, ['--help'])).toEqual({ help: true });
      expect(usageOf(command)).toMatch(
        new RegExp(
          `^Usage: octavo ${command.name}.*\n\n\\S.*\n\nOptions:\n( {2}--[\\w-]+ +\\S.*\n)+\nExit codes: .*\nConfiguration: .*PORT, OCTAVO_DATA.*\n$`,
        ),
      );
    }
    expect(await result('org', 'create', '--help')).toBe(`${usageOf(createOrg)}\n`);
  });

  test.each([
    ['nonsense', 'Unknown command "nonsense".'],
    ['user create --email a@b --name A --role read', '--role requires --org.'],
  ])('"%s" prints the error and the usage, exit code 2', async (words, complaint) => {
    const { code, stdout, messages } = await octavo(...words.split(' '));
    expect([code, stdout, messages[0]]).toEqual([2, '', complaint]);
    expect(messages[1]).toMatch(/^Usage: octavo /);
    expect(processesOf(folder)).toEqual([]);
  });

  test.each([
    [removeToken, [], 'Missing arguments: id.'],
    [removeToken, ['a', 'b'], 'Unexpected argument "b".'],
    [createOrg, ['--title'], /--title/],
    [listOrgs, ['--colour', 'red'], /Unknown option '--colour'/],
    [activateHostname, ['a.example', '--site', 'x', '--force=yes'], /--force/],
  ] as const)('$name rejects %j', (command, words, complaint) => {
    expect(() => parse(command, words)).toThrow(UsageError);
    expect(() => parse(command, words)).toThrow(complaint);
  });
});

test('without a database, commands report that and create none', async () => {
  const docs = path.join(folder, 'empty');
  mkdirSync(docs);
  for (const [n, words] of [
    ['org', 'list'],
    ['org', 'create', '--title', 'Lost'],
    ['user', 'list'],
    ['token', 'create', '--user', 'admin@localhost'],
    ['import', docs],
    ['export', 'x', path.join(folder, 'nothing')],
    ['check-links', 'x'],
  ].entries()) {
    expect(await (n === 0 ? runProgram : runHere)(words, env)).toEqual({
      code: 1,
      stdout: '',
      messages: [
        `There is no database in ${env.OCTAVO_DATA}. Set OCTAVO_DATA to the data directory of your server, or start a server: octavo serve.`,
      ],
      log: [],
    });
  }
  expect(existsSync(env.OCTAVO_DATA)).toBe(false);
});

test('in a database that is not ours, commands report that and create nothing', async () => {
  const database = await aDatabase('template0');
  const given = { ...env, OCTAVO_SECRET: 'a secret for tests alone', DATABASE_URL: urlOf(database) };
  const { code, stdout, messages } = await runProgram(['org', 'create', '--title', 'Lost'], given);
  expect([code, stdout, messages]).toEqual([
    1,
    '',
    [expect.stringMatching(/^The database at DATABASE_URL is not one of Octavo\./)],
  ]);
  const client = new pg.Client(database);
  await client.connect();
  const { rows } = await client.query(`select from pg_tables where schemaname = 'public'`);
  await client.end();
  expect(rows).toEqual([]);
});

test('without a running server, commands start the database and stop it again', async () => {
  expect(await resultAsJson('migrate')).toEqual({ migrated: true });
  expect(processesOf(folder)).toEqual([]);
  expect(await resultAsJson('org', 'list')).toEqual([expect.objectContaining({ title: 'My organization' })]);
  expect(processesOf(folder)).toEqual([]);
});

describe('while a server runs', () => {
  let server: Program;
  let administrator: string;
  /** The organization of the first start. */
  let first: string;
  const read = (token: string) => send(server.url, { path: '/v1/user', token });

  beforeAll(async () => {
    ran.clear();
    server = await startProgram({ env });
    administrator = server.token ?? '';
    const { body } = await send(server.url, { path: '/v1/orgs', token: administrator });
    first = (JSON.parse(body) as { items: { id: string }[] }).items[0]?.id ?? '';
  });

  test('commands use the same directory, and the server sees their effect immediately', async () => {
    const org = (await resultAsJson('org', 'create', '--title', 'Together')) as { id: string };
    const words = ['--email', 'Ada@Example.org', '--name', 'Ada', '--org', org.id, '--role', 'edit'];
    const user = (await resultAsJson('user', 'create', ...words)) as { id: string };
    expect(await result('user', 'list')).toMatch(
      new RegExp(`^id +email +verified +disabled +name\n(.*\n)*${user.id} +ada@example.org +yes +no +Ada\n`),
    );
    expect(await result('org', 'list')).toMatch(
      new RegExp(`^id +title +members\n(.*\n)*${org.id} +Together +2\n`),
    );

    const printed = await result('token', 'create', '--user', 'ada@example.org', '--label', 'cli');
    expect(printed).toMatch(/^ov_\w+\n$/);
    const token = printed.trim();
    expect(JSON.parse((await read(token)).body)).toMatchObject({ id: user.id, displayName: 'Ada' });

    const tokens = (await resultAsJson('token', 'list', '--user', 'ada@example.org')) as { id: string }[];
    expect(tokens).toEqual([expect.objectContaining({ label: 'cli' })]);
    expect(JSON.stringify(tokens)).not.toContain(token);
    expect(await result('token', 'delete', tokens[0]?.id ?? '')).toBe(`Deleted ${tokens[0]?.id}.\n`);
    expect((await read(token)).status).toBe(401);
  });

  test('an unverified address identifies no user, until the operator verifies it', async () => {
    const { id } = JSON.parse((await read(administrator)).body) as { id: string };
    const token = (await result('token', 'create', '--user', id)).trim();
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const created = await fetch(`${server.url}/v1/orgs/${first}/link-invites`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ role: 'read' }),
    });
    const { id: link } = (await created.json()) as { id: string };
    const claim = (name: string) =>
      fetch(`${server.url}/invite/${link}`, {
        method: 'POST',
        body: new URLSearchParams({ name, email: 'eve@example.org' }),
      });
    expect([(await claim('Eve')).status, (await claim('Mallory')).status]).toEqual([200, 200]);

    const email = 'eve@example.org';
    const unknown = await octavo('token', 'create', '--user', email);
    expect([unknown.code, unknown.stdout, unknown.messages]).toEqual([
      1,
      '',
      [expect.stringMatching(/^There is no user with the verified address eve@example\.org\./)],
    ]);
    type Listed = { id: string; email: string; name: string; proven: boolean };
    const listed = ((await resultAsJson('user', 'list')) as Listed[]).filter((row) => row.email === email);
    expect(listed.map(({ name, proven }) => [name, proven])).toEqual([
      ['Eve', false],
      ['Mallory', false],
    ]);
    const [eve, mallory] = listed;
    expect(await resultAsJson('user', 'prove', eve?.id ?? '')).toEqual({ id: eve?.id, email });
    const second = await octavo('user', 'prove', mallory?.id ?? '');
    expect([second.code, second.messages]).toEqual([
      1,
      [expect.stringContaining(`${email} is already verified for user ${eve?.id}`)],
    ]);
    const own = (await result('token', 'create', '--user', email)).trim();
    expect(JSON.parse((await read(own)).body)).toMatchObject({ id: eve?.id });
  });

  test('the tokens of a disabled user are refused until it is enabled', async () => {
    const user = await resultAsJson('user', 'create', '--email', 'off@example.org', '--name', 'Off');
    const token = (await result('token', 'create', '--user', 'off@example.org')).trim();
    expect((await read(token)).status).toBe(200);
    expect(await result('user', 'disable', 'off@example.org')).toBe('off@example.org is disabled.\n');
    await expect.poll(async () => (await read(token)).status).toBe(401);
    expect(await resultAsJson('user', 'list')).toContainEqual(
      expect.objectContaining({ email: 'off@example.org', disabled: true }),
    );
    expect(await resultAsJson('user', 'enable', (user as { id: string }).id)).toMatchObject({
      disabled: false,
    });
    await expect.poll(async () => (await read(token)).status).toBe(200);
    expect(await octavo('user', 'disable', 'absent')).toMatchObject({
      code: 1,
      messages: [expect.stringMatching(/^There is no user with the id absent\./)],
    });
  });

  test('a folder is imported and published, and imported again at the same address', async () => {
    const docs = path.join(folder, 'My Guide');
    mkdirSync(docs);
    const importing = async (text: string, ...words: string[]) => {
      writeFileSync(path.join(docs, 'README.md'), `# Welcome\n\n${text}\n`);
      return result('import', docs, '--publish', ...words);
    };
    const url = (await importing('The first text.', '--org', first)).trim();
    expect(url).toBe(`http://localhost:3000/my-guide/`);
    const shown = async () => (await fetch(server.url + new URL(url).pathname)).text();
    expect(await shown()).toContain('The first text.');
    const spaces = (await resultAsJson('space', 'list')) as {
      id: string;
      title: string;
      url: string | null;
    }[];
    const space = spaces.find((row) => row.url === url);
    expect(space).toEqual({ id: space?.id, title: 'My Guide', organization: first, url });
    expect(spaces.map((row) => row.url)).toContain(null);
    expect(await result('space', 'list')).toMatch(
      new RegExp(`^id +organization +title +published at\n(.*\n)*${space?.id} +${first} +My Guide +${url}\n`),
    );
    expect(await importing('The second text.', '--space', space?.id ?? '')).toBe(`${url}\n`);
    await expect.poll(shown).toContain('The second text.');
    const another = await resultAsJson('import', docs, '--publish', '--org', first);
    expect(another).toMatchObject({ pages: 1, url: 'http://localhost:3000/my-guide-1/' });
  });

  test('failed jobs are listed and retried', async () => {
    expect(await result('jobs')).toBe('No job failed.\n');
    // Without an address.
    await queryEmbedded(
      env.OCTAVO_DATA,
      `select graphile_worker.add_job('invites.send', '{}', max_attempts => 1)`,
    );
    type Failed = readonly { id: string; failedAt: string }[];
    const failed = async () => (await resultAsJson('jobs')) as Failed;
    await expect
      .poll(failed)
      .toEqual([expect.objectContaining({ task: 'invites.send', attempts: 1, nextAttemptAt: null })]);
    const [job] = await failed();
    expect(await result('jobs')).toMatch(
      new RegExp(
        `^id +task +.*error\n${job?.id} +invites\\.send +1 +\\S+ +never +invites\\.send was enqueued with an invalid input\n$`,
      ),
    );
    for (const words of [[job?.id ?? ''], ['--all']]) {
      const before = (await failed())[0]?.failedAt ?? '';
      expect(await result('jobs', 'retry', ...words)).toBe('Retried: 1.\n');
      await expect.poll(async () => ((await failed())[0]?.failedAt ?? '') > before).toBe(true);
    }
    expect(await octavo('jobs', 'retry', 'absent')).toMatchObject({
      code: 1,
      messages: ['There is no failed job absent. `octavo jobs` lists failed jobs.'],
    });
    expect(await octavo('jobs', 'retry')).toMatchObject({ code: 2 });
  });

  test('failures are reported in one line, exit code 1', async () => {
    for (const [words, complaint] of [
      [
        ['user', 'create', '--email', 'ada@example.org', '--name', 'Ada'],
        'A user with the verified address ada@example.org already exists.',
      ],
      [
        ['token', 'delete', 'nothing'],
        'There is no token nothing. `octavo token list` lists the tokens of a user.',
      ],
    ] as const) {
      const { code, stdout, messages, log } = await octavo(...words);
      expect({ code, stdout, messages, log }).toEqual({
        code: 1,
        stdout: '',
        messages: [complaint],
        log: [],
      });
    }
  });

  test('a folder is imported, and skipped entries are named', async () => {
    const docs = path.join(folder, 'docs');
    mkdirSync(docs);
    writeFileSync(path.join(docs, 'README.md'), '# Home\n');
    symlinkSync('/etc/hostname', path.join(docs, 'outside.md'));
    const { code, stdout, messages } = await octavo('import', docs, '--org', first, '--json');
    const warning = { path: 'outside.md', message: 'Skipped: not a regular file' };
    expect({ code, messages }).toEqual({ code: 0, messages: [`${warning.path}: ${warning.message}`] });
    expect(JSON.parse(stdout)).toMatchObject({ pages: 1, warnings: [warning] });
  });

  test('an import counts ignored files, and the export is identical', async () => {
    const docs = path.join(folder, 'assets');
    const write = (file: string, content: string | Buffer) => {
      mkdirSync(path.dirname(path.join(docs, file)), { recursive: true });
      writeFileSync(path.join(docs, file), content);
    };
    write('README.md', '# Home\n\n![A](.gitbook/assets/0.bin)\n');
    write('unlisted/notes.md', 'Listed nowhere.\n');
    write('SUMMARY.md', '# Table of contents\n\n* [Home](README.md)\n');
    // More than one batch, and the same twice.
    for (let index = 0; index < 150; index++) write(`.gitbook/assets/${index}.bin`, `Asset ${index % 140}`);
    for (const file of ['.DS_Store', 'unlisted/.DS_Store', '.git/HEAD', '.git/config']) write(file, 'x');
    const { code, stdout, messages } = await octavo('import', docs, '--org', first, '--json');
    expect({ code, messages }).toEqual({ code: 0, messages: ['Ignored: 3 (.DS_Store, .git)'] });
    const { space, ...counts } = JSON.parse(stdout) as { space: string };
    expect(counts).toEqual({ pages: 1, files: 153, leftOut: 3, warnings: [], skipped: [] });

    const out = path.join(folder, 'exported');
    expect(await result('export', space, out)).toBe(`Wrote 153 files to ${out}.\n`);
    for (const file of readdirSync(out, { recursive: true, encoding: 'utf8' })) {
      if (statSync(path.join(out, file)).isDirectory()) continue;
      expect([file, readFileSync(path.join(out, file), 'latin1')]).toEqual([
        file,
        readFileSync(path.join(docs, file), 'latin1'),
      ]);
    }
  });

  test('ZIPs and single files are imported, and what was skipped is listed', async () => {
    const at = (name: string, bytes: Uint8Array) => {
      writeFileSync(path.join(folder, name), bytes);
      return path.join(folder, name);
    };
    const bytesOf = (files: Readonly<Record<string, string>>) =>
      writeStoredZip(Object.entries(files).map(([name, text]) => ({ name, bytes: Buffer.from(text) })));
    const book = { 'README.md': '# Home\r\n', 'SUMMARY.md': '* [Home](README.md)\n', 'a.bin': 'x' };
    const zip = at('book.zip', bytesOf(book));
    const { space } = (await resultAsJson('import', zip, '--org', first)) as { space: string };
    const out = path.join(folder, 'of zip');
    await result('export', space, out);
    for (const [name, text] of Object.entries(book))
      expect([name, readFileSync(path.join(out, name), 'utf8')]).toEqual([name, text]);

    const cluttered = at(
      'cluttered.zip',
      bytesOf({ ...book, '.DS_Store': 'x', '__MACOSX/._README.md': 'x' }),
    );
    const ignoring = await octavo('import', cluttered, '--org', first, '--json');
    expect(ignoring.messages).toEqual(['Ignored: 2 (.DS_Store, ._README.md)']);
    expect(JSON.parse(ignoring.stdout)).toMatchObject({ pages: 1, files: 3, leftOut: 2 });

    const page = at(
      'page.html',
      Buffer.from('<html><body><main><h1>Added</h1><p>Text</p></main></body></html>'),
    );
    expect(await resultAsJson('import', page, '--space', space)).toMatchObject({ space, pages: 1 });
    const report = at('report.docx', docx(paragraph('Word text', 'Heading1')));
    expect(await resultAsJson('import', report, '--space', space)).toMatchObject({ space, pages: 1 });
    const after = path.join(folder, 'after');
    await result('export', space, after);
    const summary = readFileSync(path.join(after, 'SUMMARY.md'), 'utf8');
    expect(summary).toContain('(README.md)');
    expect(summary).toContain('[Added](page.md)');
    expect(summary).toContain('[Word text](report.md)');

    const mixed = at('mixed.zip', bytesOf({ 'a.html': '<h1>A</h1><p>Text</p>', 'bad.docx': 'text' }));
    const { code, messages } = await octavo('import', mixed, '--space', space, '--mode', 'replace');
    expect({ code, messages }).toEqual({
      code: 0,
      messages: [expect.stringMatching(/^bad\.docx: Skipped: This is not a Word document/)],
    });
    for (const [words, complaint] of [
      [[at('bad.docx', Buffer.from('text'))], /^This is not a Word document/],
      [[at('bad.zip', Buffer.from('text'))], /^This is not a ZIP file/],
      [[path.join(folder, 'nothing here')], /^There is no file or folder/],
    ] as const) {
      const refused = await octavo('import', ...words, '--space', space);
      expect(refused).toMatchObject({
        code: 1,
        stdout: '',
        messages: [expect.stringMatching(complaint)],
        log: [],
      });
    }
    expect((await octavo('import', zip, '--mode', 'add')).code).toBe(2);
    expect((await octavo('import', zip, '--source', 'word')).code).toBe(2);
  });

  test('the external links of a space are checked', async () => {
    const site = await serveSite({ '/ok': 'Found' });
    const check = (...args: string[]) =>
      runProgram(['check-links', ...args], { ...env, OCTAVO_OUTBOUND_ALLOW: `127.0.0.1:${site.port}` });
    const docs = path.join(folder, 'with links');
    mkdirSync(docs);
    writeFileSync(path.join(docs, 'README.md'), `# Home\n\n[a](${site.url}/ok) [b](${site.url}/missing)\n`);
    const space = (await result('import', docs, '--org', first)).trim();
    const checked = await check(space, '--json');
    expect(checked).toMatchObject({ code: 0, messages: [], log: [] });
    const broken = { url: `${site.url}/missing`, status: 'broken', problem: '404 Not Found', pageCount: 1 };
    expect(JSON.parse(checked.stdout)).toMatchObject({
      isComplete: true,
      total: 2,
      checked: 2,
      broken: 1,
      problems: [{ ...broken, pages: [{ title: 'Home' }] }],
    });
    const again = await check(space, '--fail-on', 'broken');
    expect([again.code, again.messages]).toEqual([1, ['Broken URLs: 1.']]);
    expect(again.stdout).toMatch(
      /^2 URLs, 1 of them checked now: 1 broken, 0 with another problem\.\n\nstatus +url +pages +problem\nbroken +http:\S+\/missing +\S+ +404 Not Found\n$/,
    );
    expect(await check('nothing')).toMatchObject({ code: 1, messages: ['There is no space nothing.'] });
    expect((await check(space, '--fail-on', 'everything')).code).toBe(2);
  });

  test('a hostname is activated without a record, and deleted', async () => {
    const org = (await resultAsJson('org', 'create', '--title', 'Published')) as { id: string };
    const token = administrator;
    const path = `/v1/orgs/${org.id}/sites`;
    const site = JSON.parse(
      (await send(server.url, { method: 'POST', path, token, body: { title: 'Site' } })).body,
    );
    expect(await octavo('hostname', 'activate', 'docs', '--site', site.id)).toMatchObject({ code: 1 });
    expect(await octavo('hostname', 'activate', 'docs.example.com', '--site', 'none')).toMatchObject({
      code: 1,
    });
    expect(await result('hostname', 'activate', 'Docs.Example.com', '--site', site.id)).toBe(
      `docs.example.com shows site ${site.id}.\n`,
    );
    const shown = async () =>
      JSON.parse((await send(server.url, { path: `${path}/${site.id}`, token })).body).hostname;
    expect(await shown()).toBe('docs.example.com');
    expect(await resultAsJson('hostname', 'list')).toEqual([
      { hostname: 'docs.example.com', site: site.id, title: 'Site', provenBy: 'operator' },
    ]);
    const other = JSON.parse(
      (await send(server.url, { method: 'POST', path, token, body: { title: 'Other' } })).body,
    );
    const taken = await octavo('hostname', 'activate', 'docs.example.com', '--site', other.id);
    expect([taken.code, taken.messages]).toEqual([
      1,
      [
        `docs.example.com shows site ${site.id} ("Site"). Nothing was changed. To show site ${other.id} there instead, add --force.`,
      ],
    ]);
    const second = await octavo('hostname', 'activate', 'www.example.com', '--site', site.id);
    expect([second.code, second.messages]).toEqual([
      1,
      [
        `Site ${site.id} ("Site") has the hostname docs.example.com. Nothing was changed. To replace it, add --force.`,
      ],
    ]);
    expect(await shown()).toBe('docs.example.com');
    expect(await result('hostname', 'activate', 'docs.example.com', '--site', site.id)).toContain(
      'shows site',
    );
    expect(await result('hostname', 'activate', 'docs.example.com', '--site', other.id, '--force')).toBe(
      `docs.example.com shows site ${other.id}.\n`,
    );
    expect(await shown()).toBeUndefined();
    expect(await result('hostname', 'delete', 'docs.example.com')).toBe('docs.example.com is deleted.\n');
    expect(await shown()).toBeUndefined();
    expect(await octavo('hostname', 'delete', 'docs.example.com')).toMatchObject({ code: 1 });
  });

  test('an export uses names that every file system accepts', async () => {
    const call = async (method: string, at: string, body: object) =>
      JSON.parse((await send(server.url, { method, path: at, token: administrator, body })).body);
    const { id } = await call('POST', `/v1/orgs/${first}/spaces`, { title: 'New', editMode: 'live' });
    const names = ['x'.repeat(256), `${'長'.repeat(250)}.png`, 'Logo.png', 'logo.png', 'aux.png'];
    const files = names.map((name) => ({ name, base64: Buffer.from(name).toString('base64') }));
    const page = (title: string) => ({ operation: 'insert_page', title, document: { markdown: 'Text' } });
    const pages = ['First', 'Summary', '長'.repeat(100)].map(page);
    const edited = await call('POST', `/v1/spaces/${id}/content`, {
      changes: [{ operation: 'insert_files', files }, ...pages],
    });
    expect(edited).toHaveProperty('revision');
    const out = path.join(folder, 'made here');
    expect(await result('export', id, out)).toBe(`Wrote 9 files to ${out}.\n`);
    const written = readdirSync(out, { recursive: true, encoding: 'utf8' });
    expect(new Set(written.map((name) => name.toLowerCase())).size).toBe(written.length);
    expect(readFileSync(path.join(out, 'SUMMARY.md'), 'utf8')).toContain('* [Summary](summary/README.md)');
    for (const file of ['SUMMARY.md', path.join('SUMMARY.md', 'below')])
      expect(await octavo('export', id, path.join(out, file))).toMatchObject({
        code: 1,
        messages: [
          expect.stringMatching(/SUMMARY\.md.* is a file, or below a file\. Choose another folder\.$/),
        ],
      });
  });

  test('a folder over the quota is refused in one line, and nothing of it is stored', async () => {
    const data = await startedBefore(path.join(folder, 'small'));
    const small = { OCTAVO_DATA: data, OCTAVO_ORG_STORAGE: '4MB' };
    const limited = await startProgram({ env: small });
    const docs = path.join(folder, 'large');
    mkdirSync(docs);
    writeFileSync(path.join(docs, 'README.md'), '# Home\n');
    // Two of them fit, with the handbook, which every installation has.
    for (const name of ['a', 'b', 'c']) writeFileSync(path.join(docs, name), randomBytes(1_600_000));
    const importing = () => runHere(['import', docs], small);
    const before = readdirSync(path.join(small.OCTAVO_DATA, 'files'), { recursive: true });
    expect(await importing()).toMatchObject({
      code: 1,
      stdout: '',
      messages: [
        expect.stringMatching(
          /^The storage of this organization is full: .* this needs 4688 kB\. .*STORAGE\.$/,
        ),
      ],
      log: [],
    });
    expect(readdirSync(path.join(small.OCTAVO_DATA, 'files'), { recursive: true })).toEqual(before);
    // Equal files are stored once, so that the same folder may fit.
    writeFileSync(path.join(docs, 'c'), readFileSync(path.join(docs, 'a')));
    expect(await importing()).toMatchObject({ code: 0, messages: [] });
    // Content that is stored already needs no space.
    expect(await importing()).toMatchObject({ code: 0, messages: [] });
    writeFileSync(path.join(docs, 'd'), '');
    truncateSync(path.join(docs, 'd'), 100 * 1024 * 1024 + 1);
    expect(await importing()).toMatchObject({
      code: 1,
      messages: ['d exceeds 100 MB. Nothing was imported.'],
    });
    await limited.stop();
  });

  test('only the server stops the database', async () => {
    expect(await server.stop()).toMatchObject({ code: 0, messages: [] });
    expect(processesOf(folder)).toEqual([]);
  });
});
