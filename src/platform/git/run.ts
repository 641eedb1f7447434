import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { GitError } from './git-error.ts';
import { STDERR_LENGTH } from './limits.ts';

export interface ProcessOptions {
  readonly args: readonly string[];
  readonly environment: Record<string, string>;
  readonly folder: string;
  readonly signal: AbortSignal;
  /** Limits what is waited for by `within`. */
  readonly timeoutMs: number;
}

export interface GitProcess {
  readonly stdin: ChildProcessWithoutNullStreams['stdin'];
  readonly stdout: ChildProcessWithoutNullStreams['stdout'];
  /** Never rejects. */
  readonly ended: Promise<Ended>;
  /** Ends the process if it does not deliver in time; rejects if the process was stopped. */
  within<T>(work: Promise<T>): Promise<T>;
  /** Kills the process and those that it started. */
  stop(reason: Error): void;
}

export interface Ended {
  /** Null: killed by a signal, or not started. */
  readonly code: number | null;
  readonly stderr: string;
}

export interface Result extends Ended {
  readonly stdout: Buffer;
}

/** Starts git without a shell, as the leader of a process group of its own. */
export function startGit({ args, environment, folder, signal, timeoutMs }: ProcessOptions): GitProcess {
  signal.throwIfAborted();
  const child = spawn('git', args, { cwd: folder, env: environment, detached: true, stdio: 'pipe' });
  let reason: Error | undefined;
  let isClosed = false;
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    if (stderr.length < STDERR_LENGTH) stderr += text.slice(0, STDERR_LENGTH - stderr.length);
  });
  // A process that ends early closes its input; its exit code says why.
  child.stdin.on('error', () => undefined);
  const ended = new Promise<Ended>((resolve) => {
    child.once('error', (error: NodeJS.ErrnoException) => {
      reason ??= error.code === 'ENOENT' ? noProgram(error) : cannotStart(error);
      resolve({ code: null, stderr });
    });
    child.once('close', (code) => {
      isClosed = true;
      resolve({ code, stderr });
    });
  });
  const stop = (error: Error) => {
    reason ??= error;
    if (!isClosed) killGroup(child.pid);
    // Output that is not read any more would keep the process from being closed.
    child.stdout.destroy();
  };
  const onAbort = () => stop(signal.reason as Error);
  signal.addEventListener('abort', onAbort, { once: true });
  void ended.then(() => signal.removeEventListener('abort', onAbort));
  return {
    stdin: child.stdin,
    stdout: child.stdout,
    ended,
    stop,
    async within(work) {
      const timer = setTimeout(() => stop(timedOut(timeoutMs)), timeoutMs);
      await Promise.race([work.then(ignore, ignore), ended]);
      clearTimeout(timer);
      if (!reason) return work;
      // Until then the process may still write to its folder.
      await ended;
      throw reason;
    },
  };
}

const ignore = () => undefined;

export interface RunOptions extends ProcessOptions {
  readonly maxBytes: number;
  /** Asked for each part of the output. An error ends the process. */
  readonly onOutput?: (chunk: Buffer) => Error | undefined;
}

/** Runs git to its end, and collects its output. */
export async function runGit({ maxBytes, onOutput, ...options }: RunOptions): Promise<Result> {
  const process = startGit(options);
  process.stdin.end();
  const chunks: Buffer[] = [];
  let length = 0;
  process.stdout.on('data', (chunk: Buffer) => {
    length += chunk.length;
    const error = length > maxBytes ? tooLong(maxBytes) : onOutput?.(chunk);
    if (error) process.stop(error);
    else chunks.push(chunk);
  });
  const ended = await process.within(process.ended);
  return { ...ended, stdout: Buffer.concat(chunks) };
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

const noProgram = (cause: unknown) =>
  new GitError('no-program', 'There is no git program on this server. Its operator must install git.', cause);

const cannotStart = (cause: NodeJS.ErrnoException) =>
  new GitError(
    'failed',
    `The git program cannot be started (${cause.code ?? cause.message}). The operator of this server must check its installation.`,
    cause,
  );

const timedOut = (ms: number) =>
  new GitError('timeout', `Git did not finish within ${Math.ceil(ms / 1000)} s. Try again later.`);

const tooLong = (bytes: number) =>
  new GitError('too-large', `The repository has more than ${bytes} bytes of names or of a commit's text.`);
