import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { subset } from 'semver';
import { expect, test } from 'vitest';

interface Package {
  readonly engines?: { readonly node?: string };
  readonly hasInstallScript?: boolean;
}

type Lock = { readonly packages: Readonly<Record<string, Package>> };

const ROOT = path.resolve(import.meta.dirname, '..');
const read = <T>(name: string): T => JSON.parse(readFileSync(path.join(ROOT, name), 'utf8')) as T;
const filesOf = (folder: string) =>
  readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
    path.join(folder, name),
  );

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
// Anyone could publish a package with this name, and `npx octavo` would run it.
test('the package cannot be published, and no message or document runs it from the registry', () => {
  expect(read<{ private?: boolean }>('package.json').private).toBe(true);
  const files = ['README.md', ...['docs', 'src'].flatMap((folder) => filesOf(folder))];
  const texts = files.filter((file) => /\.(md|ts)$/.test(file) && !file.endsWith('.test.ts'));
  expect(
    texts.filter((file) => /npx( -\S+)* octavo/.test(readFileSync(path.join(ROOT, file), 'utf8'))),
  ).toEqual([]);
});

test('the version of the package is the last one of the changelog, and that of the lock file and the README', () => {
  const { version } = read<{ version: string }>('package.json');
  const text = (name: string) => readFileSync(path.join(ROOT, name), 'utf8');
  expect(/^## (\S+)/m.exec(text('CHANGELOG.md'))?.[1]).toBe(version);
  const lock = read<Lock & { readonly version: string }>('package-lock.json');
  expect([lock.version, lock.packages['']]).toEqual([version, expect.objectContaining({ version })]);
  expect(text('README.md')).toContain(`Octavo ${version} is running`);
});
