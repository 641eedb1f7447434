import { isUtf8 } from 'node:buffer';
import { GitError } from '../git-error.ts';
import { runLocal } from '../local.ts';
import type { Session } from '../network.ts';
import { requireOid } from '../remote.ts';
import type { TreeEntry } from '../types.ts';

const KINDS: Readonly<Record<string, TreeEntry['kind']>> = {
  '100644': 'file',
  '100664': 'file',
  '100755': 'executable',
  '120000': 'link',
  '160000': 'submodule',
};

const DIRECTORY = '040000 ';

/** Undefined: the directory is not in the commit, or the commit is not in the copy. */
export async function listTree(
  session: Session,
  commit: string,
  directory: string,
): Promise<readonly TreeEntry[] | undefined> {
  requireOid(commit);
  if (directory !== '' && !isRelativePath(directory)) return undefined;
  const { files, listBytes } = session.limits;
  let count = 0;
  const { code, stdout } = await runLocal(session, {
    args: ['ls-tree', '-r', '-z', '--long', '--full-tree', '--end-of-options', `${commit}:${directory}`],
    maxBytes: listBytes,
    onOutput(chunk) {
      for (let at = chunk.indexOf(0); at >= 0; at = chunk.indexOf(0, at + 1)) count++;
      return count > files ? tooManyFiles(files) : undefined;
    },
  });
  return code === 0 ? parseTree(stdout) : undefined;
}

/** Files of a directory itself. The directory is not listed: it may be large. */
export async function findInTree(
  session: Session,
  commit: string,
  directory: string,
  names: readonly string[],
): Promise<readonly TreeEntry[]> {
  requireOid(commit);
  if (directory !== '' && !isRelativePath(directory)) return [];
  const { code, stdout } = await runLocal(session, {
    args: ['ls-tree', '-z', '--long', '--full-tree', '--end-of-options', `${commit}:${directory}`, ...names],
    maxBytes: session.limits.listBytes,
  });
  if (code !== 0) return [];
  const lines = stdout.toString().split('\0').slice(0, -1);
  return lines.filter((line) => !line.startsWith(DIRECTORY)).map(parseEntry);
}

/** `<mode> <type> <oid> <size>\t<path>\0`, the size padded with spaces. */
function parseTree(output: Buffer): TreeEntry[] {
  if (isUtf8(output)) return output.toString().split('\0').slice(0, -1).map(parseEntry);
  const entries: TreeEntry[] = [];
  for (let start = 0, end = output.indexOf(0); end >= 0; start = end + 1, end = output.indexOf(0, start)) {
    const bytes = output.subarray(start, end);
    const entry = parseEntry(bytes.toString());
    entries.push(isUtf8(bytes) ? entry : { ...entry, isPathInvalid: true });
  }
  return entries;
}

const UNSAFE = /^\/|(^|\/)(\.{1,2}|\.git)?(\/|$)/i;

function parseEntry(text: string): TreeEntry {
  const tab = text.indexOf('\t');
  const [mode = '', , oid = '', size = ''] = text.slice(0, tab).split(/ +/);
  const path = text.slice(tab + 1);
  // Git has refused such trees already when it received them.
  if (UNSAFE.test(path)) {
    throw new GitError(
      'invalid-repository',
      `The repository contains the path ${JSON.stringify(path.slice(0, 200))}.`,
    );
  }
  return { path, kind: KINDS[mode] ?? 'file', oid, size: size === '-' ? 0 : Number(size) };
}

/** A relative path has no empty, `.` and `..` segments. */
export const isRelativePath = (path: string): boolean =>
  !path.includes('\0') && path.split('/').every((name) => name !== '' && name !== '.' && name !== '..');

const tooManyFiles = (files: number) =>
  new GitError(
    'too-many-files',
    `The directory has more than ${files} files. Choose a smaller directory of the repository.`,
  );
