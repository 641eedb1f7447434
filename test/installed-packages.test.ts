import { readFileSync } from 'node:fs';
import path from 'node:path';
import { subset } from 'semver';
import { expect, test } from 'vitest';

interface Package {
  readonly engines?: { readonly node?: string };
  readonly hasInstallScript?: boolean;
}

type Lock = { readonly packages: Readonly<Record<string, Package>> };

const read = <T>(name: string): T =>
  JSON.parse(readFileSync(path.resolve(import.meta.dirname, '..', name), 'utf8')) as T;

/** For 32-bit Windows, for which newer versions of Node are not built, and for which there is no embedded PostgreSQL. */
const NEVER_INSTALLED = new Set(['node_modules/@img/sharp-win32-ia32']);

test('every installed package supports every Node that `engines` allows', () => {
  const { node } = read<Required<Package>>('package.json').engines;
  const { packages } = read<Lock>('package-lock.json');
  const isUnsupported = (name: string, range = '*') =>
    !NEVER_INSTALLED.has(name) && !subset(node ?? '', range);
  const unsupported = Object.entries(packages)
    .filter(([name, { engines }]) => isUnsupported(name, engines?.node))
    .map(([name, { engines }]) => `${name}: ${engines?.node}`);
  expect(unsupported).toEqual([]);
});

// npm 12 runs no other install scripts, and npm 11 warns of them.
test('every package with an install script is allowed or denied to run it', () => {
  const { allowScripts } = read<{ allowScripts: object }>('package.json');
  const { packages } = read<Lock>('package-lock.json');
  const withScript = Object.entries(packages)
    .filter(([, { hasInstallScript }]) => hasInstallScript)
    .map(([name]) => name.slice(name.lastIndexOf('node_modules/') + 'node_modules/'.length));
  expect(Object.keys(allowScripts).toSorted()).toEqual([...new Set(withScript)].toSorted());
});
