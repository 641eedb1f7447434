import { spawnSync } from 'node:child_process';
import { existsSync, renameSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { inject } from 'vitest';
import { runProgram } from './program.ts';

/** Of the tests' PostgreSQL: test files run in several processes. */
const LOCK = 7_268_614;

/**
 * A data directory after its first start, for tests that are not about the first start: that takes three times the CPU
 * time of a later one. No token was created, so that the next start prints one.
 */
export async function startedBefore(data: string): Promise<string> {
  const prepared = path.join(inject('prepared'), 'data');
  const client = new pg.Client({ ...inject('database'), database: 'postgres' });
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [LOCK]);
    if (!existsSync(prepared)) await prepare(prepared);
  } finally {
    await client.end();
  }
  // Unlike `cpSync`, keeps owners and modes, which PostgreSQL checks.
  const { status, stderr } = spawnSync('cp', ['-Rp', prepared, data], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`The data directory was not copied: ${stderr}`);
  return data;
}

/** Renamed when complete: this process may end at any time. */
async function prepare(prepared: string): Promise<void> {
  const OCTAVO_DATA = `${prepared}-${process.pid}`;
  const { code, messages } = await runProgram(['migrate'], { OCTAVO_DATA });
  if (code !== 0) throw new Error(`No data directory was prepared: ${messages.join('\n')}`);
  renameSync(OCTAVO_DATA, prepared);
}
