import { spawn } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { aGit } from '../../../test/git.ts';
import { startGitRemote } from '../../../test/git-remote.ts';

describe('a killed server', () => {
  it('leaves folders and processes, which the next one removes', async () => {
    const { git: next, folder: cache } = await aGit(await startGitRemote());
    const killed = spawn('sleep', ['600']);
    onTestFinished(() => void killed.kill('SIGKILL'));
    await once(killed, 'spawn');
    const machine = createHash('sha256').update(hostname()).digest('hex').slice(0, 12);
    const aJob = async (owner: string) => {
      const left = path.join(cache, `${'0'.repeat(64)}.${owner}.${randomUUID()}.job`);
      await mkdir(left, { recursive: true });
      await writeFile(path.join(left, 'credentials'), 'secret');
      return left;
    };
    const living = await aJob(`${machine}-${killed.pid}-aaaaaaaa`);
    const elsewhere = await aJob(`ffffffffffff-1-aaaaaaaa`);
    const restarted = await aJob(`${machine}-${process.pid}-aaaaaaaa`);
    await next.removeAbandoned();
    expect(await readdir(cache)).toEqual([living, elsewhere].map((left) => path.basename(left)).toSorted());
    expect(restarted).not.toBe(living);
    const orphan = spawn('sleep', ['600'], { cwd: living });
    onTestFinished(() => void orphan.kill('SIGKILL'));
    await once(orphan, 'spawn');
    const ended = Promise.all([once(killed, 'exit'), once(orphan, 'exit')]);
    killed.kill('SIGKILL');
    await once(killed, 'exit');
    await next.removeAbandoned();
    await ended;
    expect(await readdir(cache)).toEqual([path.basename(elsewhere)]);
  });
});
