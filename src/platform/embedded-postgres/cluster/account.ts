import { spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname } from 'node:path';
import type { DataDirectory } from './data-directory.ts';
import { CLEAN_ENVIRONMENT } from '../server/process-identity.ts';
import { StartError } from '../start-error.ts';

/** The account PostgreSQL runs under: it refuses root. */
export interface Account {
  readonly name: string;
  /** Owner of its files, as seen by this process. */
  readonly uid: number;
  readonly gid: number;
  /** Prefix of a command line that runs it under this account. */
  readonly prefix: readonly string[];
}

/** A command line, and the options of `spawn` to run it under the account. */
export function commandAs(account: Account, program: string, args: readonly string[]) {
  const [file = program, ...rest] = [...account.prefix, program, ...args];
  const identity = account.uid === process.getuid?.() ? {} : { uid: account.uid, gid: account.gid };
  return { file, args: rest, options: { ...identity, cwd: '/', env: CLEAN_ENVIRONMENT } };
}

export function chooseAccount(directory: DataDirectory): Account {
  const owner = findOwner(directory.cluster);
  return process.getuid?.() === 0 ? accountForRoot(directory, owner) : ownAccount(directory, owner);
}

function ownAccount(directory: DataDirectory, owner: Account | undefined): Account {
  const { uid = 0, gid = 0 } = { uid: process.getuid?.(), gid: process.getgid?.() };
  if (owner && owner.uid !== uid) {
    throw new StartError(
      `The database in ${directory.cluster} belongs to ${owner.name}. Run octavo as that account or as root, or choose another directory with OCTAVO_DATA.`,
    );
  }
  const self = { name: nameOf(uid), uid, gid, prefix: [] };
  // Only initdb insists on a name; a container started with an arbitrary uid has none.
  if (owner || hasName()) return self;
  const renamed = inNamespace();
  if (renamed && canReach(renamed, directory.root)) return renamed;
  throw new StartError(
    `This account (${self.name}) has no entry in /etc/passwd, which PostgreSQL requires. Add one, or set DATABASE_URL to use your own PostgreSQL server.`,
  );
}

function accountForRoot(directory: DataDirectory, owner: Account | undefined): Account {
  const candidates = owner && owner.uid !== 0 ? [owner, ...unprivileged()] : unprivileged();
  const chosen = [...candidates, inNamespace()].find(
    (account) => account && canReach(account, directory.root),
  );
  if (chosen) return chosen;
  throw explainRoot(directory, candidates[0]);
}

function explainRoot(directory: DataDirectory, account: Account | undefined): StartError {
  const refusal = 'PostgreSQL refuses to run as root, and';
  if (!account) return new StartError(`${refusal} /etc/passwd has no other account. Add one.`);
  const barrier = findBarrier(account, directory.root);
  return new StartError(
    barrier === '/'
      ? `${refusal} octavo may not switch to ${account.name}. Run octavo as an unprivileged user.`
      : `${refusal} ${account.name} cannot access ${barrier}. Choose another directory with OCTAVO_DATA, or run octavo as an unprivileged user.`,
  );
}

/**
 * A user namespace in which our uid has another number: PostgreSQL does not see root, while the kernel still grants it
 * access to our files.
 */
function inNamespace(): Account | undefined {
  const [inside] = unprivileged();
  if (!inside) return undefined;
  const prefix = ['unshare', '--user', `--map-user=${inside.uid}`, `--map-group=${inside.gid}`, '--'];
  return { name: inside.name, uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0, prefix };
}

/** Tries, instead of reading modes: access lists and mount options count too. */
function canReach(account: Account, folder: string): boolean {
  const { file, args, options } = commandAs(account, '/bin/sh', ['-c', 'cd "$0"', folder]);
  return spawnSync(file, args, { ...options, stdio: 'ignore' }).status === 0;
}

function findBarrier(account: Account, folder: string): string {
  const parent = dirname(folder);
  return parent === folder || canReach(account, parent) ? folder : findBarrier(account, parent);
}

function unprivileged(): Account[] {
  const others = accounts().filter(({ uid }) => uid > 0);
  const preferred = ['postgres', 'nobody'].flatMap((name) => others.filter((other) => other.name === name));
  return preferred.length > 0 ? preferred : others.slice(0, 1);
}

function accounts(): Account[] {
  return readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .filter(([name, , uid, gid]) => name && uid && gid)
    .map(([name = '', , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid), prefix: [] }));
}

function findOwner(folder: string): Account | undefined {
  const found = statSync(folder, { throwIfNoEntry: false });
  return found && { name: nameOf(found.uid), uid: found.uid, gid: found.gid, prefix: [] };
}

function nameOf(uid: number): string {
  return accounts().find((account) => account.uid === uid)?.name ?? `uid ${uid}`;
}

function hasName(): boolean {
  try {
    return userInfo().username !== '';
  } catch {
    return false;
  }
}
