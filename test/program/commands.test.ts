import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { send } from './load.ts';
import { processesOf, runProgram, startProgram, temporaryDirectory, type Program } from './program.ts';

const COMMANDS = [
  'serve',
  'worker',
  'migrate',
  'org create',
  'org list',
  'user create',
  'user list',
  'token create',
  'token list',
  'token delete',
];

const folder = temporaryDirectory();
const env = { OCTAVO_DATA: path.join(folder, 'data') };
const octavo = (...args: string[]) => runProgram(args, env);

/** A command that does what it should: its result on standard output, nothing beside it, exit code 0. */
async function result(...args: string[]): Promise<string> {
  const { code, stdout, said, log } = await octavo(...args);
  expect({ code, said, log }).toEqual({ code: 0, said: [], log: [] });
  return stdout;
}

const resultAsJson = async (...args: string[]) => JSON.parse(await result(...args, '--json')) as unknown;

describe('words', () => {
  test('--help on each: how it is used, exit code 0', async () => {
    const overview = await result('--help');
    for (const name of COMMANDS) {
      expect(overview).toContain(`octavo ${name} `);
      expect(await result(...name.split(' '), '--help')).toMatch(
        new RegExp(`^octavo ${name}.*\n {2}\\S.*\n\n( {2}--\\w+ +\\S.*\n)+`),
      );
    }
  });

  test.each([
    ['nonsense', 'There is no command "nonsense".'],
    ['token delete', 'Missing: id.'],
    ['org list --colour red', "Unknown option '--colour'"],
    ['user create --email a@b --name A --role read', '--role needs --org.'],
  ])('"%s" is wrong: what is wrong and how it is used, exit code 2', async (words, complaint) => {
    const { code, stdout, said } = await octavo(...words.split(' '));
    expect([code, stdout, said[0]]).toEqual([2, '', expect.stringContaining(complaint)]);
    expect(said[1]).toMatch(/^( {2})?octavo /);
    expect(processesOf(folder)).toEqual([]);
  });
});

describe('with no server running', () => {
  test('the first command makes the installation and says its token beside the result', async () => {
    const { code, stdout, said } = await octavo('migrate');
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'The database is up to date.\n' });
    expect(said).toEqual([
      expect.stringMatching(/^A new installation\. Token of its administrator: ov_\w+$/),
    ]);
    expect(await resultAsJson('migrate')).toEqual({ migrated: true });
    expect(processesOf(folder)).toEqual([]);
  });

  test('commands bring the database up for themselves, and down again', async () => {
    const id = (await result('org', 'create', '--title', 'Alone')).trim();
    expect(id).toMatch(/^\w{20}$/);
    expect(await resultAsJson('org', 'list')).toEqual(
      expect.arrayContaining([expect.objectContaining({ id, title: 'Alone' })]),
    );
    expect(processesOf(folder)).toEqual([]);
  });
});

describe('while a server runs', () => {
  let server: Program;
  const see = (token: string) => send(server.url, { path: '/v1/user', token });

  beforeAll(async () => {
    server = await startProgram({ env });
  });

  test('they work on the same directory, and the server knows at once', async () => {
    const org = (await resultAsJson('org', 'create', '--title', 'Together')) as { id: string };
    const words = ['--email', 'Ada@Example.org', '--name', 'Ada', '--org', org.id, '--role', 'edit'];
    const user = (await resultAsJson('user', 'create', ...words)) as { id: string };
    expect(await result('user', 'list')).toMatch(
      new RegExp(`^id +email +name\n(.*\n)*${user.id} +ada@example.org +Ada\n`),
    );
    expect(await result('org', 'list')).toMatch(
      new RegExp(`^id +title +members\n(.*\n)*${org.id} +Together +2\n`),
    );

    const printed = await result('token', 'create', '--user', 'ada@example.org', '--label', 'cli');
    expect(printed).toMatch(/^ov_\w+\n$/);
    const token = printed.trim();
    expect(JSON.parse((await see(token)).body)).toMatchObject({ id: user.id, displayName: 'Ada' });

    const tokens = (await resultAsJson('token', 'list', '--user', 'ada@example.org')) as { id: string }[];
    expect(tokens).toEqual([expect.objectContaining({ label: 'cli' })]);
    expect(JSON.stringify(tokens)).not.toContain(token);
    expect(await result('token', 'delete', tokens[0]?.id ?? '')).toBe(`Deleted ${tokens[0]?.id}.\n`);
    expect((await see(token)).status).toBe(401);
  });

  test('what cannot be done is said in one line, exit code 1', async () => {
    for (const [words, complaint] of [
      [['org', 'create', '--title', 'X'], 'A title has 2 to 255 characters.'],
      [
        ['user', 'create', '--email', 'ada@example.org', '--name', 'Ada'],
        'There is a user ada@example.org already.',
      ],
      [
        ['token', 'create', '--user', 'no@where'],
        'There is no user no@where. Make one first: octavo user create.',
      ],
      [['token', 'delete', 'nothing'], 'There is no token nothing. octavo token list shows them.'],
    ] as const) {
      const { code, stdout, said, log } = await octavo(...words);
      expect({ code, stdout, said, log }).toEqual({ code: 1, stdout: '', said: [complaint], log: [] });
    }
  });

  test('and it alone decides when the database ends', async () => {
    expect(await server.stop()).toMatchObject({ code: 0, said: [] });
    expect(processesOf(folder)).toEqual([]);
  });
});
