import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { ROOT } from './program.ts';

/** These run when they are loaded, as the program or as a thread of it. */
const RUN = new Set(['main', 'compiler-main', 'pdf-worker', 'scale-images', 'thread-main', 'typeset']);

// Packages are in the bundle. One that needs its own files would fail here, and not when a user first needs it.
test('every part of the bundle can be loaded', async () => {
  const parts = readdirSync(path.join(ROOT, 'dist'))
    .filter((file) => file.endsWith('.js') && !RUN.has(path.basename(file, '.js')))
    .map((file) => `await import(${JSON.stringify(path.join(ROOT, 'dist', file))});`);
  expect(parts.length).toBeGreaterThan(0);
  const loaded = promisify(execFile)(process.execPath, ['--input-type=module', '--eval', parts.join('\n')]);
  await expect(loaded).resolves.toMatchObject({ stderr: '' });
});
