import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { onTestFinished, TestRunner } from 'vitest';
import { atEnd } from '../at-end.ts';

export const ROOT = path.resolve(import.meta.dirname, '../..');
export const MAIN = path.join(ROOT, 'dist/main.js');

/** The last line that a server prints when it has started. */
const READY = 'Lost your token?';

export type Environment = Readonly<Record<string, string>>;

export interface Ended {
  /** The exit code, or the signal that ended it. */
  readonly code: number | NodeJS.Signals;
  readonly stdout: string;
  /** Standard error without the log, whose lines are JSON: the messages for the operator. */
  readonly messages: readonly string[];
  readonly log: readonly LogLine[];
}

export interface LogLine {
  readonly level: number;
  readonly msg: string;
}

export interface Program {
  readonly url: string;
  /** The administrator's token, if this start printed one. */
  readonly token: string | undefined;
  readonly pid: number;
  readonly stdout: () => string;
  readonly ended: Promise<Ended>;
  stop(signal?: NodeJS.Signals): Promise<Ended>;
  /** All its processes, as a crash of the machine does. */
  kill(): Promise<Ended>;
}

interface StartOptions {
  readonly env: Environment;
  readonly command?: readonly [file: string, ...args: string[]];
  readonly folder?: string;
  /** In its own process group, which a test can signal as a terminal does. */
  readonly detached?: boolean;
  /** Ends with the test file, not with the test: the next test uses it, too. */
  readonly shared?: boolean;
}

/** A failed test must not affect the next: its programs end with it, those of a hook with the file. */
export const onCleanup = (cleanUp: () => Promise<void>): void =>
  TestRunner.getCurrentTest() ? onTestFinished(cleanUp) : atEnd(cleanUp);

export function temporaryDirectory(): string {
  const directory = mkdtempSync(path.join(tmpdir(), 'octavo-program-'));
  onCleanup(async () => {
    await endProcessesOf(directory);
    rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
  });
  return directory;
}

/** Databases that were left running by a program that was killed. */
async function endProcessesOf(directory: string): Promise<void> {
  for (const { pid } of processesOf(directory)) process.kill(pid, 'SIGQUIT');
  while (processesOf(directory).length > 0) await delay(20);
}

/** Processes with the directory in their command line, mainly postmasters. */
export function processesOf(directory: string): { pid: number; command: string }[] {
  const { stdout } = spawnSync('ps', ['-axo', 'pid=,stat=,command='], {
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  return stdout
    .split('\n')
    .map((line) => /^ *(\d+) (\S+) +(.*)$/.exec(line))
    .filter((match) => match?.[3]?.includes(directory) && !match[2]?.startsWith('Z'))
    .map((match) => ({ pid: Number(match?.[1]), command: match?.[3] ?? '' }));
}

/** The process of the embedded database: the first line of its pid file. */
export const postmasterOf = (data: string): number =>
  Number(readFileSync(path.join(data, 'pg/postmaster.pid'), 'utf8').split('\n')[0]);

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Only the variables that programs need to run: no setting of the caller may affect a test. */
export function variablesOf(env: Environment): Environment {
  const { PATH = '', HOME = '/' } = process.env;
  return { PATH, HOME, OCTAVO_RATE_LIMIT: '0', OCTAVO_HANDBOOK: 'off', ...env };
}

/** Starts a program without waiting. */
export function launch({
  env,
  command = [process.execPath, MAIN, 'serve'],
  folder = ROOT,
  detached = false,
  shared = false,
}: StartOptions) {
  const [file, ...args] = command;
  const child = spawn(file, args, {
    cwd: folder,
    env: variablesOf(env),
    stdio: ['ignore', 'pipe', 'pipe'],
    detached,
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      resolve({ code: code ?? signal ?? 'SIGKILL', stdout, ...splitStderr(stderr) });
    });
  });
  const cleanUp = shared ? atEnd : onCleanup;
  cleanUp(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    process.kill(detached && child.pid ? -child.pid : (child.pid ?? 0), 'SIGKILL');
    await ended;
    if (env['OCTAVO_DATA']) await endProcessesOf(env['OCTAVO_DATA']);
  });
  return { child, ended, stdout: () => stdout, stderr: () => stderr };
}

export function splitStderr(stderr: string): Pick<Ended, 'messages' | 'log'> {
  const lines = stderr.split('\n').filter((line) => line !== '');
  const isLog = (line: string) => line.startsWith('{');
  return {
    messages: lines.filter((line) => !isLog(line)),
    log: lines.filter(isLog).map((line) => JSON.parse(line) as LogLine),
  };
}

/** The process in which a server runs jobs and performs large requests: its only child that is a program of Node. */
export const heavyProcessOf = (server: number): number | undefined =>
  readdirSync(`/proc/${server}/task`)
    .flatMap((thread) => readFileSync(`/proc/${server}/task/${thread}/children`, 'utf8').split(' '))
    .filter(Boolean)
    .map(Number)
    .find(isNode);

function isNode(pid: number): boolean {
  try {
    return readlinkSync(`/proc/${pid}/exe`) === realpathSync(process.execPath);
  } catch {
    // It has ended.
    return false;
  }
}

/** Starts a server, and waits until it is ready. */
export async function startProgram(options: StartOptions): Promise<Program> {
  const port = options.env['PORT'] ?? String(await freePort());
  const launched = launch({ ...options, env: { ...options.env, PORT: port } });
  const { child, ended } = launched;
  const ready = new Promise<void>((resolve) => {
    child.stdout.on('data', () => launched.stdout().includes(READY) && resolve());
  });
  const failed = ended.then(() => {
    throw new Error(`It did not start: ${launched.stdout()}${launched.stderr()}`);
  });
  failed.catch(() => undefined);
  await Promise.race([ready, failed]);
  const signal = (name: NodeJS.Signals) => {
    child.kill(name);
    return ended;
  };
  return {
    url: `http://127.0.0.1:${port}`,
    token: /token \(.*\): (\S+)/.exec(launched.stdout())?.[1],
    pid: child.pid ?? 0,
    stdout: launched.stdout,
    ended,
    stop: (name = 'SIGTERM') => signal(name),
    kill: () => {
      const heavy = heavyProcessOf(child.pid ?? 0);
      // Neither may notice that the other has ended.
      child.kill('SIGSTOP');
      if (heavy !== undefined) process.kill(heavy, 'SIGKILL');
      return signal('SIGKILL');
    },
  };
}

/** Runs a command to its end. */
export const runProgram = (args: readonly string[], env: Environment): Promise<Ended> =>
  launch({ env, command: [process.execPath, MAIN, ...args] }).ended;
