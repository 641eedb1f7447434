import { spawn } from 'node:child_process';
import { mkdir } from 'node:fs/promises';

/** Nothing of the machine's own configuration. */
export const ENVIRONMENT = {
  PATH: '/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin',
  HOME: '/nonexistent',
  LC_ALL: 'C',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
};

/** Contents by path; null deletes the file. */
export type TestFiles = Readonly<Record<string, string | Uint8Array | TestFile | null>>;

export interface TestFile {
  readonly content: string | Uint8Array;
  readonly mode: '100644' | '100755' | '120000';
}

export interface TestCommit {
  readonly branch?: string;
  readonly message?: string;
  readonly name?: string;
  readonly email?: string;
  readonly time?: Date;
  /** True: without a parent, whatever the branch has. */
  readonly isRoot?: boolean;
}

/** A bare repository of the remote. */
export interface TestRepository {
  readonly url: string;
  readonly folder: string;
  /** Adds a commit to a branch (`main`), and returns its id. */
  commit(files: TestFiles, commit?: TestCommit): Promise<string>;
  /** Texts by path. */
  files(branch?: string): Promise<Record<string, string>>;
  /** The newest first: `%H %an <%ae> %cn <%ce> %B` as an object. */
  commits(branch?: string): Promise<TestLog[]>;
  head(branch?: string): Promise<string>;
  git(args: readonly string[], input?: string | Uint8Array): Promise<string>;
}

export interface TestLog {
  readonly oid: string;
  readonly author: string;
  readonly committer: string;
  readonly message: string;
}

export async function createTestRepository({
  folder,
  url,
  format,
}: {
  folder: string;
  url: string;
  format: 'sha1' | 'sha256';
}): Promise<TestRepository> {
  await mkdir(folder, { recursive: true });
  const bytes = (args: readonly string[], input?: string | Uint8Array) => runTestGit(folder, args, input);
  const git: TestRepository['git'] = async (args, input) => (await bytes(args, input)).toString();
  await git(['init', '--quiet', '--bare', '--initial-branch=main', `--object-format=${format}`]);
  await git(['config', 'http.receivepack', 'true']);
  return {
    url,
    folder,
    git,
    async commit(files, commit = {}) {
      const ref = `refs/heads/${commit.branch ?? 'main'}`;
      const isKnown = await git(['rev-parse', '--verify', '--quiet', ref]).then(
        () => true,
        () => false,
      );
      const stream = commitStream(files, ref, { ...commit, isRoot: commit.isRoot ?? !isKnown });
      await git(['fast-import', '--quiet', '--force', '--date-format=raw'], stream);
      return (await git(['rev-parse', ref])).trim();
    },
    async files(branch = 'main') {
      const names = (await git(['ls-tree', '-r', '-z', '--name-only', branch])).split('\0').slice(0, -1);
      const texts: Record<string, string> = {};
      for (const name of names) texts[name] = await git(['cat-file', 'blob', `${branch}:${name}`]);
      return texts;
    },
    async commits(branch = 'main') {
      const log = await git(['log', '-z', '--format=%H%n%an <%ae>%n%cn <%ce>%n%B', branch]);
      return log
        .split('\0')
        .filter(Boolean)
        .map((entry) => {
          const [oid = '', author = '', committer = '', ...message] = entry.split('\n');
          return { oid, author, committer, message: message.join('\n') };
        });
    },
    head: async (branch = 'main') => (await git(['rev-parse', `refs/heads/${branch}`])).trim(),
  };
}

function commitStream(files: TestFiles, ref: string, commit: TestCommit): Buffer {
  const seconds = Math.floor((commit.time ?? new Date(1_700_000_000_000)).getTime() / 1000);
  const signature = `${commit.name ?? 'Ada'} <${commit.email ?? 'ada@example.com'}> ${seconds} +0000`;
  const message = Buffer.from(commit.message ?? 'Change files\n');
  const parts: (string | Uint8Array)[] = [
    `commit ${ref}\nauthor ${signature}\ncommitter ${signature}\ndata ${message.length}\n`,
    message,
    `\n${commit.isRoot ? '' : `from ${ref}^0\n`}`,
  ];
  for (const [path, file] of Object.entries(files)) {
    const quoted = `"${path.replaceAll(/["\\]/g, String.raw`\$&`).replaceAll('\n', String.raw`\n`)}"`;
    if (file === null) {
      parts.push(`D ${quoted}\n`);
      continue;
    }
    const { content, mode } =
      typeof file === 'object' && 'content' in file ? file : { content: file, mode: '100644' };
    const bytes = Buffer.from(content as Uint8Array);
    parts.push(`M ${mode} inline ${quoted}\ndata ${bytes.length}\n`, bytes, '\n');
  }
  return Buffer.concat(parts.map((part) => Buffer.from(part as Uint8Array)));
}

/** Runs git in a repository of a test. */
export function runTestGit(
  folder: string,
  args: readonly string[],
  input?: string | Uint8Array,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const child = spawn('git', args, { cwd: folder, env: ENVIRONMENT });
    const output: Buffer[] = [];
    let stderr = '';
    child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
    child.once('error', reject);
    child.once('close', (code) =>
      code === 0
        ? resolve(Buffer.concat(output))
        : reject(new Error(`git ${args.slice(0, 2).join(' ')}: ${stderr}`)),
    );
  });
}
