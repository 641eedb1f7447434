import { readFileSync } from 'node:fs';
import path from 'node:path';
import { subset } from 'semver';
import { expect, test } from 'vitest';

interface Package {
  readonly engines?: { readonly node?: string };
}

const read = <T>(name: string): T =>
  JSON.parse(readFileSync(path.resolve(import.meta.dirname, '..', name), 'utf8')) as T;

/** For 32-bit Windows, for which newer versions of Node are not built, and for which there is no embedded PostgreSQL. */
const NEVER_INSTALLED = new Set(['node_modules/@img/sharp-win32-ia32']);

test('every installed package supports every Node that `engines` allows', () => {
  const { node } = read<Required<Package>>('package.json').engines;
  const { packages } = read<{ packages: Record<string, Package> }>('package-lock.json');
  const isUnsupported = (name: string, range = '*') =>
    !NEVER_INSTALLED.has(name) && !subset(node ?? '', range);
  const unsupported = Object.entries(packages)
    .filter(([name, { engines }]) => isUnsupported(name, engines?.node))
    .map(([name, { engines }]) => `${name}: ${engines?.node}`);
  expect(unsupported).toEqual([]);
});
