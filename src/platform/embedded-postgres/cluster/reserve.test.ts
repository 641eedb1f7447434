import { existsSync, mkdtempSync, rmSync, statSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDataDirectory, type DataDirectory } from './data-directory.ts';
import { holdReserve, isFull, releaseReserve, tendReserve } from './reserve.ts';

const MB = 1024 * 1024;
const home = mkdtempSync(join(tmpdir(), 'octavo-reserve-'));
let directory: DataDirectory;
beforeAll(() => {
  directory = openDataDirectory(join(home, 'data'));
});
afterAll(() => rmSync(home, { recursive: true }));

const reserve = () => join(directory.root, 'reserve');

test('a reserve is held while there is space, and given up when PostgreSQL needs it', async () => {
  await holdReserve(directory, 100 * MB);
  expect(existsSync(reserve())).toBe(false);
  await holdReserve(directory, 200 * MB);
  const { size, mtimeMs } = statSync(reserve());
  expect(size).toBe(32 * MB);
  await holdReserve(directory, 200 * MB);
  expect(statSync(reserve()).mtimeMs).toBe(mtimeMs);
  releaseReserve(directory, 40 * MB);
  expect(existsSync(reserve())).toBe(true);
  releaseReserve(directory, 30 * MB);
  expect(existsSync(reserve())).toBe(false);
});

test('a running database uses the reserve only if it has no space for connections', async () => {
  const MORE = 200 * MB;
  const answering = (sqlstate: string | undefined) => () => Promise.resolve(sqlstate);
  const unasked = () => Promise.reject(new Error('must not be asked'));
  await tendReserve(directory, unasked, MORE);
  expect(existsSync(reserve())).toBe(true);
  await tendReserve(directory, unasked, 2 * MB);
  // It accepts them, does not answer, has too many, or is being restored.
  for (const refusal of [undefined, 'ETIMEDOUT', '53300', '3D000'])
    expect(await tendReserve(directory, answering(refusal), 0)).toBeUndefined();
  expect(existsSync(reserve())).toBe(true);
  expect(await tendReserve(directory, answering('53100'), 0)).toBe('released');
  expect(existsSync(reserve())).toBe(false);
  expect(await tendReserve(directory, answering('53100'), 0)).toBeUndefined();
  expect([isFull(directory, 0), isFull(directory, 2 * MB)]).toEqual([true, false]);
});

test('a reserve that a crash cut short is made whole', async () => {
  await holdReserve(directory, 200 * MB);
  truncateSync(reserve(), MB);
  await holdReserve(directory, 200 * MB);
  expect(statSync(reserve()).size).toBe(32 * MB);
});
