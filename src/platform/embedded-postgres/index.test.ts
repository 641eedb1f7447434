import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client, Pool } from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { EmbeddedDatabase } from './index.ts';
import { openEmbeddedDatabase, StartError } from './index.ts';

// Much is written to the disk here, which others may be using.

const isRoot = process.getuid?.() === 0;
const folders: string[] = [];
const opened: EmbeddedDatabase[] = [];
/** Made once; a test that leaves it clean needs no directory of its own. */
let home: string;

/** Below a folder that PostgreSQL's account may pass through, which mkdtemp's own mode forbids. */
function aFolder(mode = 0o711): string {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-embedded-'));
  chmodSync(folder, mode);
  folders.push(folder);
  return folder;
}

function aCopy(path = join(aFolder(), 'data')): string {
  execFileSync('cp', ['-a', home, path]);
  return path;
}

async function open(
  dataDirectory: string,
  options: { exclusive?: boolean; log?: (line: string) => void } = {},
) {
  const { exclusive = true, log = () => undefined } = options;
  const database = await openEmbeddedDatabase({ dataDirectory, exclusive, log });
  opened.push(database);
  return database;
}

async function query(database: EmbeddedDatabase, text: string): Promise<unknown> {
  const client = new Client(database.connection);
  await client.connect();
  try {
    const { rows } = await client.query({ text, rowMode: 'array' });
    return rows[0]?.[0];
  } finally {
    await client.end();
  }
}

function postmasterPid(dataDirectory: string): number {
  return Number.parseInt(readFileSync(join(dataDirectory, 'pg', 'postmaster.pid'), 'utf8'), 10);
}

function runningOn(dataDirectory: string): string[] {
  return execFileSync('ps', ['-ww', '-A', '-o', 'args='], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes(join(dataDirectory, 'pg')) && line.includes('postgres'));
}

function expectNothingLeft(dataDirectory: string): void {
  expect(runningOn(dataDirectory)).toEqual([]);
  expect(existsSync(join(dataDirectory, 'pg', 'postmaster.pid'))).toBe(false);
  expect(readdirSync(join(dataDirectory, 'run'))).toEqual([]);
  expect(readdirSync(dataDirectory).filter((name) => name.includes('.new-'))).toEqual([]);
}

/** Another octavo process, which says "open" once it has the database and stops at the end of its input. */
async function anotherProcess(dataDirectory: string, exclusive: boolean) {
  const script = `
    import { openEmbeddedDatabase } from ${JSON.stringify(new URL('index.ts', import.meta.url).href)};
    const database = await openEmbeddedDatabase({
      dataDirectory: ${JSON.stringify(dataDirectory)}, exclusive: ${exclusive}, log: () => {},
    });
    console.log('open');
    process.stdin.resume().on('end', () => database.stop());
  `;
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  onTestFinished(() => {
    child.stdin.end();
    return exited;
  });
  await Promise.race([new Promise((resolve) => child.stdout.once('data', resolve)), exited]);
  return { child, exited };
}

async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await delay(20);
}

beforeAll(async () => {
  home = join(aFolder(), 'data');
  const database = await open(home);
  await database.stop();
});

afterEach(async () => {
  await Promise.all(opened.splice(0).map((database) => database.stop()));
});

afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

describe('starting and stopping', () => {
  it('makes the database on the first start, and leaves no process and no lock behind', async () => {
    expectNothingLeft(home);
    expect(statSync(join(home, 'pg-password')).mode & 0o777).toBe(0o600);
    const database = await open(home);
    const locale = `select datlocale from pg_database where datname = current_database()`;
    expect(await query(database, 'select current_database()')).toBe('octavo');
    expect(await query(database, locale)).toBe('C.UTF-8');
    expect(await query(database, 'show server_version')).toMatch(/^18\./);
    expect(await query(database, 'show data_checksums')).toBe('on');
    expect(await query(database, 'show timezone')).toBe('UTC');
    await database.stop();
    expectNothingLeft(home);
  });

  it('keeps the data, and stopping twice is stopping once', async () => {
    const path = home;
    const first = await open(path);
    await query(first, 'create table kept as select 42 as answer');
    await Promise.all([first.stop(), first.stop()]);
    expect(await query(await open(path), 'select answer from kept')).toBe(42);
  });

  it('removes what was left of a first start that was killed', async () => {
    const path = home;
    mkdirSync(join(path, 'pg.new-2147483647-abc', 'cluster'), { recursive: true });
    const database = await open(path);
    expect(await query(database, 'select 1')).toBe(1);
    await database.stop();
    expectNothingLeft(path);
  });

  it('works in a directory too deep for a socket', async () => {
    const parent = join(aFolder(), 'd'.repeat(120), 'e'.repeat(120));
    mkdirSync(parent, { recursive: true });
    const path = join(parent, 'data');
    aCopy(path);
    const database = await open(path);
    expect(await query(database, 'select 1')).toBe(1);
    await database.stop();
    expectNothingLeft(path);
    expect(existsSync(dirname(database.connection.host))).toBe(false);
  });

  it('works through a symbolic link, and in a path with spaces and quotes', async () => {
    const path = join(aFolder(), `it's "a" $HOME`);
    aCopy(path);
    const link = join(aFolder(), 'link');
    symlinkSync(path, link);
    const server = await open(link);
    const command = await open(path, { exclusive: false });
    expect(await query(command, 'select 1')).toBe(1);
    await command.stop();
    expect(await query(server, 'select 1')).toBe(1);
  });
});

describe('sharing a directory', () => {
  it('refuses a second server in one line', async () => {
    const path = home;
    const server = await open(path);
    await expect(open(path)).rejects.toThrow(
      new StartError(
        `Another octavo server is running on ${path} (process ${process.pid}). Stop it, or choose another directory with OCTAVO_DATA.`,
      ),
    );
    expect(await query(server, 'select 1')).toBe(1);
  });

  it('lets commands in beside a server, in whatever order they end', async () => {
    const path = home;
    const server = await open(path);
    const pid = postmasterPid(path);
    const [first, second] = [await open(path, { exclusive: false }), await open(path, { exclusive: false })];
    await first.stop();
    expect(await query(server, 'select 1')).toBe(1);
    await server.stop();
    expect(await query(second, 'select 1')).toBe(1);
    expect(postmasterPid(path)).toBe(pid);
    await second.stop();
    expectNothingLeft(path);
  });

  it('starts the database for a command alone, and hands it over to a server', async () => {
    const path = home;
    const command = await open(path, { exclusive: false });
    const server = await open(path);
    await command.stop();
    expect(await query(server, 'select 1')).toBe(1);
    await server.stop();
    expectNothingLeft(path);
  });

  it('lets several make, start and stop it at the same moment', async () => {
    const path = join(aFolder(), 'data');
    expect(await openTogether(path, 2)).toEqual([1, 1]);
    for (let round = 0; round < 4; round += 1) {
      expect(await openTogether(path, 3)).toEqual([1, 1, 1]);
    }
    expectNothingLeft(path);
  });
});

it('reserves disk space while it runs', async () => {
  const path = aCopy();
  const database = await open(path);
  const size = () => statSync(join(path, 'reserve'), { throwIfNoEntry: false })?.size;
  await expect.poll(size).toBe(32 * 1024 * 1024);
  await database.stop();
});

describe('accidents', () => {
  it('adopts the postmaster of a server that was killed, and ends it', async () => {
    const path = home;
    const { child, exited } = await anotherProcess(path, true);
    const pid = postmasterPid(path);
    await expect(open(path)).rejects.toThrow(`(process ${child.pid})`);
    child.kill('SIGKILL');
    await exited;
    const database = await open(path);
    expect(postmasterPid(path)).toBe(pid);
    await database.stop();
    expectNothingLeft(path);
  });

  it('stops a database that another process started', async () => {
    const path = home;
    const { child, exited } = await anotherProcess(path, true);
    const command = await open(path, { exclusive: false });
    child.stdin.end();
    await exited;
    expect(await query(command, 'select 1')).toBe(1);
    await command.stop();
    expectNothingLeft(path);
  });

  it('brings a killed postmaster back, to the same address, though a query outlived it', async () => {
    const path = home;
    const lines: string[] = [];
    const database = await open(path, { log: (line) => lines.push(line) });
    const pool = new Pool(database.connection).on('error', () => {});
    onTestFinished(() => pool.end());
    const busy = pool.query('select count(*) from generate_series(1, 1e12)').catch(() => undefined);
    await until(async () => (await countActive(pool)) > 0);
    const pid = postmasterPid(path);
    process.kill(pid, 'SIGKILL');
    await until(() => lines.includes('The database is available again.'));
    expect(postmasterPid(path)).not.toBe(pid);
    expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    await expect(open(path)).rejects.toThrow('Another octavo server is running');
    await busy;
    await database.stop();
    expectNothingLeft(path);
  });

  it('brings back one that was not its own child, and twice', async () => {
    const path = home;
    const { child, exited } = await anotherProcess(path, true);
    child.kill('SIGKILL');
    await exited;
    let returns = 0;
    const database = await open(path, {
      log: (line) => (returns += Number(line.includes('is available again'))),
    });
    process.kill(postmasterPid(path), 'SIGKILL');
    await until(() => returns === 1);
    process.kill(postmasterPid(path), 'SIGKILL');
    await until(() => returns === 2);
    expect(await query(database, 'select 1')).toBe(1);
  });

  it('takes its locks again after a crash of a single backend', async () => {
    const path = home;
    const lines: string[] = [];
    const database = await open(path, { log: (line) => lines.push(line) });
    const pid = postmasterPid(path);
    process.kill(Number(await query(database, lockHolder())), 'SIGKILL');
    await until(() => lines.includes('The database is available again.'));
    expect(postmasterPid(path)).toBe(pid);
    await expect(open(path)).rejects.toThrow('Another octavo server is running');
  });

  it('tells that it lost the database when another server was quicker to take it', async () => {
    const database = await open(home);
    const name = `octavo serve ${process.ppid}`;
    const other = new Client({ ...database.connection, database: 'postgres', application_name: name });
    await other.connect();
    try {
      await other.query('select pg_advisory_lock_shared(20035, 1)');
      const taken = other.query('select pg_advisory_lock(20035, 2)');
      await query(database, `select pg_terminate_backend((${lockHolder()}))`);
      expect((await database.lost).message).toContain(`(process ${process.ppid})`);
      await taken;
    } finally {
      await other.end();
    }
  });

  it('stops cleanly while the database is on its way back', async () => {
    const path = home;
    const database = await open(path);
    process.kill(postmasterPid(path), 'SIGKILL');
    await delay(5);
    await database.stop();
    expect(runningOn(path)).toEqual([]);
  });

  it('writes no file of replication in a checkpoint, which would end it on a full disk', async () => {
    const path = aCopy();
    const database = await open(path);
    mkdirSync(join(path, 'pg/pg_logical/replorigin_checkpoint.tmp'));
    await query(database, 'checkpoint');
    expect(await query(database, 'select 1')).toBe(1);
    await database.stop();
  });

  it('is not kept out by lock files whose process number belongs to another program now', async () => {
    const path = home;
    const foreign = spawn('sleep', ['600']);
    onTestFinished(() => void foreign.kill());
    const lock = `${foreign.pid}\n${join(path, 'pg')}\n1700000000\n5432\n../run\n\n  1234567         3\nready   \n`;
    const owner = statSync(join(path, 'pg'));
    for (const file of [join(path, 'pg', 'postmaster.pid'), join(path, 'run', '.s.PGSQL.5432.lock')]) {
      writeFileSync(file, lock);
      chownSync(file, owner.uid, owner.gid);
    }
    const database = await open(path);
    expect(await query(database, 'select 1')).toBe(1);
    expect(foreign.kill()).toBe(true);
  });
});

describe('refusals, in one line each', () => {
  it('a data directory that is a file, or below one', async () => {
    const file = join(aFolder(), 'file');
    writeFileSync(file, '');
    expect(await refusalOf(open(file))).toMatch('is a file, or below a file');
    expect(await refusalOf(open(join(file, 'data')))).toMatch('is a file, or below a file');
  });

  it('a data directory behind a broken link', async () => {
    const link = join(aFolder(), 'link');
    symlinkSync('/not/mounted', link);
    expect(await refusalOf(open(link))).toMatch('does not exist');
    expect(await refusalOf(open(join(link, 'data')))).toMatch('does not exist');
  });

  it('a data directory that cannot be written', async () => {
    // Root may write everywhere but where the kernel forbids it.
    const kernels = process.platform === 'linux' ? '/sys/octavo' : '/System/octavo';
    const path = isRoot ? kernels : join(aFolder(0o500), 'data');
    expect(await refusalOf(open(path))).toMatch(
      /is not writable by this account|is on a read-only file system/,
    );
  });

  it('a database of another major version', async () => {
    const path = join(aFolder(), 'data');
    mkdirSync(join(path, 'pg'), { recursive: true });
    writeFileSync(join(path, 'pg', 'PG_VERSION'), '17\n');
    expect(await refusalOf(open(path))).toMatch(
      'was created by PostgreSQL 17, but this version of octavo contains PostgreSQL 18',
    );
  });

  it('a folder that is no database', async () => {
    const path = join(aFolder(), 'data');
    mkdirSync(join(path, 'pg', 'something'), { recursive: true });
    chmodSync(path, 0o711);
    expect(await refusalOf(open(path))).toMatch('is not a PostgreSQL data directory');
  });

  it('a password that is missing or wrong', async () => {
    const path = aCopy();
    writeFileSync(join(path, 'pg-password'), 'wrong\n');
    expect(await refusalOf(open(path))).toMatch('is not the password of the database');
    expectNothingLeft(path);
    rmSync(join(path, 'pg-password'));
    expect(await refusalOf(open(path))).toMatch('is missing');
  });

  it('a database that does not start, with what PostgreSQL says about it', async () => {
    const path = aCopy();
    rmSync(join(path, 'pg', 'global', 'pg_control'));
    expect(await refusalOf(open(path))).toMatch(
      'PostgreSQL did not start: could not find the database system',
    );
  });
});

describe('folders that only their owner may enter', () => {
  /** Root needs a user namespace for them, which not every container allows. */
  const isPossible = !isRoot || spawnSync('unshare', ['--user', '--map-user=65534', 'true']).status === 0;

  it.runIf(!isPossible)('cannot hold the data, which is said', async () => {
    expect(await refusalOf(open(join(aFolder(0o700), 'data')))).toMatch('PostgreSQL refuses to run as root');
  });

  it.runIf(isPossible)('hold the data', async () => {
    const path = join(aFolder(0o700), 'data');
    const lines: string[] = [];
    const database = await open(path, { log: (line) => lines.push(line) });
    expect(await query(database, 'select 1')).toBe(1);
    expect(statSync(join(path, 'pg')).uid).toBe(process.getuid?.());
    process.kill(postmasterPid(path), 'SIGKILL');
    await until(() => lines.includes('The database is available again.'));
    await database.stop();
    expectNothingLeft(path);
  });

  it('hand the data over to the right account when the directory moves out of them', async () => {
    const inside = join(aFolder(0o700), 'data');
    aCopy(inside);
    if (isPossible) await (await open(inside)).stop();
    expect(statSync(join(inside, 'pg')).uid === process.getuid?.()).toBe(isPossible);
    const outside = join(aFolder(), 'data');
    execFileSync('mv', [inside, outside]);
    const database = await open(outside);
    expect(statSync(join(outside, 'pg')).uid === process.getuid?.()).toBe(!isRoot);
    expect(await query(database, 'select 1')).toBe(1);
  });
});

async function openTogether(path: string, number: number): Promise<unknown[]> {
  const once = async (exclusive: boolean) => {
    const database = await open(path, { exclusive });
    const answer = await query(database, 'select 1');
    await database.stop();
    return answer;
  };
  return Promise.all(Array.from({ length: number }, (_, index) => once(index === 0)));
}

function lockHolder(): string {
  return `select pid from pg_stat_activity where application_name = 'octavo serve ${process.pid}'`;
}

async function countActive(pool: Pool): Promise<number> {
  const { rows } = await pool.query(
    `select count(*)::int as number from pg_stat_activity where state = 'active' and query like '%1e12%' and pid <> pg_backend_pid()`,
  );
  return rows[0].number;
}

/** The one line that the operator would see. */
async function refusalOf(opening: Promise<unknown>): Promise<string> {
  const error = await opening.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof StartError) || error.message.includes('\n')) throw error;
  return error.message;
}
