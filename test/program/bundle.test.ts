import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { ROOT, temporaryDirectory } from './program.ts';

/** These run when they are loaded, as the program or as a thread of it. */
const RUN = new Set(['main', 'compiler-main', 'pdf-worker', 'scale-images', 'thread-main', 'typeset']);

const DIST = path.join(ROOT, 'dist');
const scripts = readdirSync(DIST).filter((file) => file.endsWith('.js'));

// A package of the bundle that reads its own files when it is loaded fails here, and not when a user first needs it.
test('every part of the bundle can be loaded, in any directory', async () => {
  const cwd = temporaryDirectory();
  // Packages must not look for settings in the directory that a user happens to be in.
  writeFileSync(path.join(cwd, 'package.json'), '{ malformed');
  writeFileSync(path.join(cwd, 'graphile-worker.config.js'), 'throw new Error("was run");');
  const parts = scripts
    .filter((file) => !RUN.has(path.basename(file, '.js')))
    .map((file) => `await import(${JSON.stringify(path.join(DIST, file))});`);
  expect(parts.length).toBeGreaterThan(0);
  const args = ['--input-type=module', '--eval', parts.join('\n')];
  await expect(promisify(execFile)(process.execPath, args, { cwd })).resolves.toMatchObject({ stderr: '' });
});

test('no part uses the place of a CommonJS file, which a bundle does not have', () => {
  const guarded = /typeof (__(?:file|dir)name) !== "undefined" \? \1/g;
  const using = scripts.filter((file) =>
    /\b__(file|dir)name\b/.test(readFileSync(path.join(DIST, file), 'utf8').replaceAll(guarded, '')),
  );
  expect(using).toEqual([]);
});

test('the licences of bundled packages are passed on', () => {
  const licences = readFileSync(path.join(DIST, 'LICENCES.txt'), 'utf8');
  for (const name of ['fastify', 'kysely', 'graphile-worker'])
    expect(licences).toMatch(new RegExp(`^${name} [\\d.]+, MIT.*\\n+[^]*?Permission is hereby granted`, 'm'));
});
