import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { PACKAGE_ROOT } from '../src/platform/version.ts';

const read = (file: string): string => readFileSync(path.join(PACKAGE_ROOT, file), 'utf8');

/** Without code, where the handbook shows links of example folders. */
const prose = (file: string): string => read(file).replaceAll(/^```.*?^```/gms, '');

const inFolder = (folder: string): string[] =>
  readdirSync(path.join(PACKAGE_ROOT, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name}`);

const HANDBOOK = inFolder('docs');
const DECISIONS = inFolder('docs/decisions');
const PAGES = ['README.md', 'CONTRIBUTING.md', 'ARCHITECTURE.md', ...HANDBOOK, ...DECISIONS];

const filesBelow = (folder: string): string[] =>
  readdirSync(path.join(PACKAGE_ROOT, folder), { recursive: true, encoding: 'utf8' }).map(
    (name) => `${folder}/${name.split(path.sep).join('/')}`,
  );

const SOURCES = [...readdirSync(PACKAGE_ROOT), ...['src', 'test', 'bench', 'migrations'].flatMap(filesBelow)];

const linksIn = (file: string): string[] =>
  [
    ...prose(file)
      .replaceAll(/`[^`]*`/g, '')
      .matchAll(/\]\(([^)#\s]+)[^)]*\)/g),
  ].map((match) => match[1] ?? '');

test.each(PAGES)('%s: every relative link points to a file', (file) => {
  const links = linksIn(file).filter((link) => !/^\w+:/.test(link));
  const broken = links.filter((link) => !existsSync(path.join(PACKAGE_ROOT, path.dirname(file), link)));
  expect(broken).toEqual([]);
});

/** A name without its folder, or with a part of it, is enough: `original-source.ts`, `http/admit.ts`. */
test.each(PAGES)('%s: every source file that is mentioned exists', (file) => {
  const mentioned = [...prose(file).matchAll(/`([\w./-]*\w\.(?:ts|cjs|sql))`/g)].map(
    (match) => match[1] ?? '',
  );
  const missing = mentioned.filter((name) => !SOURCES.some((source) => `/${source}`.endsWith(`/${name}`)));
  expect(missing).toEqual([]);
});

test('the sidebar lists every page of the handbook, and the index every decision', () => {
  const missingIn = (list: string, pages: readonly string[]) =>
    pages.filter((page) => page !== list && !linksIn(list).includes(path.basename(page)));
  expect(missingIn('docs/SUMMARY.md', HANDBOOK)).toEqual([]);
  expect(missingIn('docs/decisions/README.md', DECISIONS)).toEqual([]);
});
