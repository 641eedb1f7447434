import { spawn } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { aGit } from '../../../test/git.ts';
import { startGitRemote } from '../../../test/git-remote.ts';

const MACHINE = createHash('sha256').update(hostname()).digest('hex').slice(0, 12);

/** The folder of a job that a process of this owner left. */
async function aJob(cache: string, owner: string): Promise<string> {
  const left = path.join(cache, `${'0'.repeat(64)}.${owner}.${randomUUID()}.job`);
  await mkdir(left, { recursive: true });
  await writeFile(path.join(left, 'credentials'), 'secret');
  return left;
}

describe('a killed server', () => {
  it('leaves folders and processes, which the next one removes', async () => {
    const { git: next, folder: cache } = await aGit(await startGitRemote());
    const killed = spawn('sleep', ['600']);
    onTestFinished(() => void killed.kill('SIGKILL'));
    await once(killed, 'spawn');
    const living = await aJob(cache, `${MACHINE}-${killed.pid}-aaaaaaaa`);
    const elsewhere = await aJob(cache, `ffffffffffff-1-aaaaaaaa`);
    const restarted = await aJob(cache, `${MACHINE}-${process.pid}-aaaaaaaa`);
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
  it('leaves folders whether its parent has read its exit code or not', async () => {
    const { git: next, folder: cache } = await aGit(await startGitRemote());
    // The second `sleep` does not know that it has a child.
    const parent = spawn('sh', ['-c', 'sleep 0.1 & echo $!; exec sleep 600']);
    onTestFinished(() => void parent.kill('SIGKILL'));
    const [pid] = await once(parent.stdout.setEncoding('utf8'), 'data');
    await expect.poll(() => readFile(`/proc/${pid.trim()}/stat`, 'utf8')).toMatch(/\) Z /);
    await aJob(cache, `${MACHINE}-${pid.trim()}-aaaaaaaa`);
    await next.removeAbandoned();
    expect(await readdir(cache)).toEqual([]);
  });
});
