import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { ROOT, temporaryDirectory } from './program.ts';

const manifest = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as {
  version: string;
  bin: { octavo: string };
};
const octavo = path.join(ROOT, manifest.bin.octavo);

test('`octavo` is executable after a build', () => {
  const { status, stdout } = spawnSync(octavo, ['--version'], { encoding: 'utf8' });
  expect([status, stdout]).toEqual([0, `${manifest.version}\n`]);
});

describe('Node', () => {
  /** Node as the executed files see it, with this version. */
  function runOn(version: string, file: string) {
    const claim = path.join(temporaryDirectory(), 'version.cjs');
    const versions = JSON.stringify({ ...process.versions, node: version });
    writeFileSync(claim, `Object.defineProperty(process, 'versions', { value: ${versions} });`);
    return spawnSync(process.execPath, ['--require', claim, file, '--version'], {
      encoding: 'utf8',
      cwd: ROOT,
    });
  }

  test.each(['18.20.4', '20.18.3', '21.7.3', '22.12.0', '23.11.1'])(
    '%s is rejected in one line, by the program and by the build',
    (version) => {
      for (const file of [octavo, path.join(ROOT, 'build.js')]) {
        const { status, stdout, stderr } = runOn(version, file);
        expect([status, stdout]).toEqual([1, '']);
        expect(stderr).toBe(
          `Octavo needs Node.js 20.x from 20.19, 22.x from 22.13, 24 or newer; this is ${version}.\n`,
        );
      }
    },
  );

  test.each(['20.19.0', '22.13.0', '24.0.0', '100.0.0'])('%s is accepted', (version) => {
    expect(runOn(version, octavo).status).toBe(0);
  });
});
