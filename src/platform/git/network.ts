import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Outbound, OutboundError, type Target } from '../outbound/index.ts';
import { environmentOf, type Setting } from './environment.ts';
import { explain, withoutSecrets } from './explain.ts';
import { GitError } from './git-error.ts';
import type { Limits } from './limits.ts';
import { parseRepositoryUrl, requireCredential, TOKEN_OWNER } from './remote.ts';
import { type Result, startGit } from './run.ts';
import type { Credential, Remote } from './types.ts';

/** The environment in which a job runs git. */
export interface Session {
  readonly outbound: Outbound;
  readonly remote: Remote;
  /** The folder of the job. */
  readonly folder: string;
  readonly copy: string;
  readonly signal: AbortSignal;
  readonly limits: Limits;
  readonly searchPath: string | undefined;
}

export interface NetworkResult extends Result {
  readonly fail: () => GitError;
}

/** Runs a git command with the remote: `args` gets its URL. The credential exists in a file while the process runs. */
export async function runWithRemote(
  session: Session,
  timeoutMs: number,
  args: (url: string) => readonly string[],
): Promise<NetworkResult> {
  const target = await checkRemote(session.outbound, session.remote.url);
  const { credential } = session.remote;
  const folder = path.join(session.folder, 'remote');
  try {
    await mkdir(folder, { mode: 0o700 });
    if (credential) await writeCredential(folder, target.url, credential);
    const process = startGit({
      args: args(target.url.href),
      environment: environmentOf({
        gitDirectory: session.copy,
        home: folder,
        protocol: target.url.protocol.slice(0, -1),
        settings: [...networkSettings(target, session.limits), ...(credential ? [STORE] : [])],
        searchPath: session.searchPath,
      }),
      folder,
      signal: session.signal,
      timeoutMs,
    });
    process.stdin.end();
    const chunks: Buffer[] = [];
    process.stdout.on('data', (chunk: Buffer) => {
      if (chunks.length < MAX_CHUNKS) chunks.push(chunk);
    });
    const watch = watchSize(session, (error) => process.stop(error));
    const ended = await process.within(process.ended).finally(watch.end);
    // It may have been faster than the watch.
    await requireSize(session);
    const fail = () => explain(ended.stderr, { host: target.url.host, credential, folder: session.folder });
    return {
      ...ended,
      stdout: Buffer.concat(chunks),
      fail,
      stderr: withoutSecrets(ended.stderr, credential),
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Outputs are short: the lines of one ref. */
const MAX_CHUNKS = 16;

/** Relative to the folder of the process: the helper is run by a shell, which an absolute path could confuse. */
const STORE: Setting = ['credential.helper', 'store --file=credential'];

/** The checked addresses of the remote, which git is pinned to. */
export async function checkRemote(outbound: Outbound, text: string): Promise<Target> {
  const url = parseRepositoryUrl(text);
  if (url.username || url.password) {
    throw new GitError('invalid-url', 'The URL contains a user name or password. Remove it.');
  }
  try {
    const target = await outbound.check(url);
    if (url.protocol === 'https:' || target.isListed) return target;
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    const isUnknown = error.fault === 'unknown-host';
    const reason = error.reason === 'blocked' ? 'blocked-host' : isUnknown ? 'unknown-host' : 'unreachable';
    throw new GitError(reason, error.message, error);
  }
  throw new GitError(
    'blocked-host',
    `URLs with http: are allowed only for hosts that the operator lists in OCTAVO_OUTBOUND_ALLOW. Use https://${url.host}.`,
  );
}

function networkSettings({ hostname, port, addresses }: Target, { stalledMs }: Limits): Setting[] {
  const settings: Setting[] = [
    ['http.lowSpeedLimit', '1'],
    ['http.lowSpeedTime', String(Math.ceil(stalledMs / 1000))],
  ];
  if (addresses.length === 1 && addresses[0] === hostname) return settings;
  const pinned = addresses.map((address) => (address.includes(':') ? `[${address}]` : address));
  return [...settings, ['http.curloptResolve', `${hostname}:${port}:${pinned.join(',')}`]];
}

async function writeCredential(folder: string, url: URL, credential: Credential): Promise<void> {
  requireCredential(credential);
  const [username, password] = [credential.username || TOKEN_OWNER, credential.password].map(
    encodeURIComponent,
  );
  const line = `${url.protocol}//${username}:${password}@${url.host}\n`;
  await writeFile(path.join(folder, 'credential'), line, { mode: 0o600, flag: 'wx' });
}

/** Ends a process that fills the disk. */
function watchSize(session: Session, stop: (error: Error) => void): { end: () => void } {
  let isEnded = false;
  let timer: NodeJS.Timeout;
  const schedule = () => {
    if (!isEnded)
      timer = setTimeout(() => void requireSize(session).then(schedule, stop), session.limits.pollMs);
  };
  schedule();
  return {
    end() {
      isEnded = true;
      clearTimeout(timer);
    },
  };
}

async function requireSize({ folder, limits }: Session): Promise<void> {
  if ((await sizeOf(folder)) > limits.copyBytes) throw tooLarge(limits.copyBytes);
}

const tooLarge = (bytes: number) =>
  new GitError(
    'too-large',
    `The last commit of the branch is larger than ${Math.floor(bytes / 1024 / 1024)} MB. Remove large files from it.`,
  );

async function sizeOf(folder: string): Promise<number> {
  let size = 0;
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    const name = path.join(folder, entry.name);
    // Files come and go meanwhile.
    size += entry.isDirectory() ? await sizeOf(name) : ((await stat(name).catch(() => undefined))?.size ?? 0);
  }
  return size;
}
