import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { isAlive } from '../server/process-identity.ts';
import { explainFileError } from '../start-error.ts';

/** The paths of one embedded database. */
export interface DataDirectory {
  readonly root: string;
  readonly cluster: string;
  readonly password: string;
  readonly sockets: string;
  readonly log: string;
}

export const clusterIn = (root: string): string => join(root, 'pg');

/** PostgreSQL's own limit for paths is 1024 bytes, and it appends file names to this one. */
const LONGEST_PATH = 900;
const STAGING = /^pg\.new-(\d+)-/;

/** Staging folders of this process, so that one start does not remove those of another. */
const ownStaging = new Set<string>();

export function openDataDirectory(path: string): DataDirectory {
  try {
    makeFolder(resolve(path));
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
    const root = realpathSync(path);
    if (Buffer.byteLength(root) > LONGEST_PATH) throw Object.assign(new Error(), { code: 'ENAMETOOLONG' });
    readdirSync(root)
      .filter((name) => isLeftover(root, name))
      .forEach((name) => rmSync(join(root, name), { recursive: true, force: true }));
    return {
      root,
      cluster: clusterIn(root),
      password: join(root, 'pg-password'),
      sockets: join(root, 'run'),
      log: join(root, 'pg.log'),
    };
  } catch (error) {
    throw explainFileError(error, path);
  }
}

/**
 * Gives `work` a staging folder: what is created there is renamed into place when it is complete, so that a crash leaves
 * nothing incomplete.
 */
export async function withStaging<T>(
  directory: DataDirectory,
  work: (folder: string) => T | Promise<T>,
): Promise<T> {
  let folder: string | undefined;
  try {
    folder = mkdtempSync(join(directory.root, `pg.new-${process.pid}-`));
    ownStaging.add(folder);
    return await work(folder);
  } catch (error) {
    throw explainFileError(error, directory.root);
  } finally {
    if (folder) {
      rmSync(folder, { recursive: true, force: true });
      ownStaging.delete(folder);
    }
  }
}

/** `mkdir` with `recursive` reports wrong errors, such as ENOENT for a read-only disk. */
function makeFolder(path: string): void {
  try {
    mkdirSync(path);
    // If we are root, PostgreSQL runs under another account, which must be able to traverse it.
    chmodSync(path, process.getuid?.() === 0 ? 0o711 : 0o700);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' && statSync(path).isDirectory()) return;
    if (code !== 'ENOENT' || existsSync(dirname(path))) throw error;
    makeFolder(dirname(path));
    makeFolder(path);
  }
}

/** Ignores errors of changes that another process may have made a moment before. */
export function tolerating(codes: readonly string[], work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!codes.includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}

function isLeftover(root: string, name: string): boolean {
  const maker = Number(STAGING.exec(name)?.[1]);
  if (!maker) return false;
  return maker === process.pid ? !ownStaging.has(join(root, name)) : !isAlive(maker);
}
