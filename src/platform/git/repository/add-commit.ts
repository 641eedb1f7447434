import { once } from 'node:events';
import { explain } from '../explain.ts';
import { GitError } from '../git-error.ts';
import { isRelativePath } from './list-files.ts';
import { startLocal } from '../local.ts';
import type { Session } from '../network.ts';
import { isOid, requireOid } from '../remote.ts';
import type { GitProcess } from '../run.ts';
import type { FileChange, NewCommit, Signature } from '../types.ts';

const REF = 'refs/octavo/new';

/** Writes the changed files and a commit by `fast-import`; all other files are those of the parent. */
export async function writeCommit(session: Session, commit: NewCommit): Promise<string> {
  if (commit.parent !== undefined) requireOid(commit.parent);
  // `--force` is about our own ref, which has the commit of the previous job.
  const process = startLocal(session, ['fast-import', '--quiet', '--force', '--done', '--date-format=raw']);
  const importer = createImporter(process);
  try {
    await importer.write(headOf(commit));
    for await (const change of commit.changes)
      await writeChange(importer, change, commit.parent !== undefined);
    await importer.write('\nget-mark :1\ndone\n');
    process.stdin.end();
    const oid = await importer.readLine();
    const { code, stderr } = await process.within(process.ended);
    if (code !== 0 || !isOid(oid)) throw explain(stderr, { host: '', folder: session.folder });
    return oid;
  } catch (error) {
    process.stop(error as Error);
    const { stderr } = await process.ended;
    session.signal.throwIfAborted();
    throw error instanceof ImporterEnded ? explain(stderr, { host: '', folder: session.folder }) : error;
  }
}

function headOf({ parent, message, author, committer, time }: NewCommit): string {
  const date = `${Math.floor(time.getTime() / 1000)} +0000`;
  const text = Buffer.from(message.replaceAll('\0', '').replace(/(?<!\n)\n*$/, '\n'));
  return (
    `commit ${REF}\nmark :1\n` +
    `author ${signatureOf(author)} ${date}\ncommitter ${signatureOf(committer)} ${date}\n` +
    `data ${text.length}\n${text.toString()}\n${parent === undefined ? '' : `from ${parent}\n`}`
  );
}

/** Removes the characters that delimit the parts of a signature. */
function signatureOf({ name, email }: Signature): string {
  const clean = (text: string) => text.replaceAll(/[<>\p{Cc}\s]+/gu, ' ').trim();
  const address = clean(email).replaceAll(' ', '');
  return `${clean(name) || address || 'Unknown'} <${address}>`;
}

async function writeChange(importer: Importer, change: FileChange, hasParent: boolean): Promise<void> {
  const path = quotePath(change.path);
  if ('isDeleted' in change) return importer.write(`D ${path}\n`);
  const isExecutable = change.executable ?? (hasParent && (await importer.isExecutable(path)));
  await importer.write(`M ${isExecutable ? '100755' : '100644'} inline ${path}\ndata ${change.size}\n`);
  let left = change.size;
  for await (const bytes of change.bytes instanceof Uint8Array ? [change.bytes] : change.bytes) {
    left -= bytes.length;
    if (left < 0) break;
    await importer.write(bytes);
  }
  // The rest of the stream would be read as commands.
  if (left !== 0) throw new Error(`The contents of ${change.path} do not have ${change.size} bytes.`);
  await importer.write('\n');
}

/** Names that some file system reads as `.git`. */
const REPOSITORY_FOLDER = /^(\.git|git~\d+)[ .]*(:.*)?$/i;

function quotePath(path: string): string {
  // HFS+ ignores these characters.
  const names = path.replaceAll(/[\u200B-\u200F\u202A-\u202E\u206A-\u206F\uFEFF]/g, '').split(/[/\\]/);
  if (!isRelativePath(path) || names.some((name) => REPOSITORY_FOLDER.test(name))) {
    throw new GitError(
      'invalid-path',
      `${JSON.stringify(path.slice(0, 200))} cannot be the path of a file in Git. Rename it.`,
    );
  }
  return `"${path.replaceAll(/["\\]/g, String.raw`\$&`).replaceAll('\n', String.raw`\n`)}"`;
}

interface Importer {
  write(bytes: string | Uint8Array): Promise<void>;
  readLine(): Promise<string>;
  isExecutable(quotedPath: string): Promise<boolean>;
}

class ImporterEnded extends Error {}

function createImporter(process: GitProcess): Importer {
  const output = process.stdout.setEncoding('utf8')[Symbol.asyncIterator]() as AsyncIterator<string>;
  let text = '';
  const importer: Importer = {
    async write(bytes) {
      if (process.stdin.writable && process.stdin.write(bytes)) return;
      if (process.stdin.writable)
        await process.within(Promise.race([once(process.stdin, 'drain'), process.ended]));
      if (!process.stdin.writable) throw new ImporterEnded();
    },
    async readLine() {
      for (let end = text.indexOf('\n'); ; end = text.indexOf('\n')) {
        if (end >= 0) {
          const line = text.slice(0, end);
          text = text.slice(end + 1);
          return line;
        }
        const { value, done } = await process.within(output.next());
        if (done) throw new ImporterEnded();
        text += value;
      }
    },
    // `<mode> blob <oid>\t<path>`, or `missing <path>`
    async isExecutable(quotedPath) {
      await importer.write(`ls ${quotedPath}\n`);
      return (await importer.readLine()).startsWith('100755 ');
    },
  };
  return importer;
}
