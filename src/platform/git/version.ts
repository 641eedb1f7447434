import { mkdir } from 'node:fs/promises';
import { environmentOf } from './environment.ts';
import { GitError } from './git-error.ts';
import { runGit } from './run.ts';

/** The first version that can be pinned to addresses (`http.curloptResolve`); older ones ignore that setting. */
const OLDEST: readonly [number, number] = [2, 37];

export async function requireVersion(folder: string, searchPath: string | undefined): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const { stdout } = await runGit({
    args: ['version'],
    environment: environmentOf({
      gitDirectory: folder,
      home: folder,
      ...(searchPath === undefined ? {} : { searchPath }),
    }),
    folder,
    signal: new AbortController().signal,
    timeoutMs: 30_000,
    maxBytes: 1024,
  });
  const [, major, minor] = /\b(\d+)\.(\d+)/.exec(stdout.toString()) ?? [];
  const isNewEnough =
    Number(major) > OLDEST[0] || (Number(major) === OLDEST[0] && Number(minor) >= OLDEST[1]);
  if (isNewEnough) return;
  throw new GitError(
    'no-program',
    `The git program on this server is too old. Its operator must install git ${OLDEST.join('.')} or later.`,
  );
}
