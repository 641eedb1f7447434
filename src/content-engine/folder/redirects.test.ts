import { describe, expect, test } from 'vitest';
import { at, read, write } from '../../../test/import-export.ts';
import { applyChanges, type Change } from '../tree/index.ts';

describe('redirects of .gitbook.yaml', () => {
  const CONFIGURATION = [
    '# Ours',
    'root: ./docs/',
    'redirects:',
    '    old/page:   guide/page.md   # moved in May',
    "    'quoted': './guide/page.md'",
    '    double: "guide/page.md#part"',
    '    folder: guide/',
    '    gone: nowhere.md',
    '    outside: https://example.org/guide/page.md',
    '    spaced: guide/two words.md',
    '    list: [guide/page.md]',
    '',
  ].join('\r\n');
  const folder = {
    '.gitbook.yaml': CONFIGURATION,
    'docs/SUMMARY.md':
      '* [Home](README.md)\n* [Guide](guide/README.md)\n  * [Page](guide/page.md)\n  * [Two](<guide/two words.md>)\n',
    'docs/README.md': '# Home\n',
    'docs/guide/README.md': '# Guide\n',
    'docs/guide/page.md': '# Page\n',
    'docs/guide/two words.md': '# Two\n',
  };
  const content = read(folder);
  const written = (...changes: Change[]) => {
    const applied = applyChanges(content.tree, changes, 1);
    if (!applied.ok) throw new Error(JSON.stringify(applied.errors));
    return write(applied.tree, content)['.gitbook.yaml'];
  };
  const idAt = (path: string) => at(content.tree, path).id;

  test('stay unchanged while nothing moves', () => {
    expect(write(content.tree, content)).toEqual(folder);
    expect(written({ operation: 'update_page', page: idAt('docs/guide/page.md'), title: 'Other' })).toBe(
      CONFIGURATION,
    );
  });

  test('are reported where they lead to no page or file, with the line', () => {
    const missing = (href: string, line: number) => ({
      path: '.gitbook.yaml',
      message: `redirects: There is no page or file ${href}; this redirect has no effect`,
      line,
      file: href,
    });
    expect(content.warnings).toEqual([
      missing('nowhere.md', 8),
      missing('https://example.org/guide/page.md', 9),
    ]);
  });

  test('follow the pages that they point to, and nothing else changes', () => {
    const moved = written(
      { operation: 'update_page', page: idAt('docs/guide/page.md'), slug: 'new-name' },
      { operation: 'update_page', page: idAt('docs/guide/two words.md'), slug: 'words' },
      { operation: 'update_page', page: idAt('docs/guide/README.md'), slug: 'manual' },
    );
    expect(moved).toBe(
      CONFIGURATION.replace('old/page:   guide/page.md', 'old/page:   guide/new-name.md')
        .replace("'./guide/page.md'", "'./guide/new-name.md'")
        .replace('"guide/page.md#part"', '"guide/new-name.md#part"')
        .replace('folder: guide/', 'folder: manual/')
        .replace('guide/two words.md', 'guide/words.md'),
    );
  });

  test('of an invalid configuration are left alone', () => {
    const folder = { '.gitbook.yaml': 'redirects: {a: [\n', 'README.md': '# Home\n' };
    const content = read(folder);
    expect(write(content.tree, content)).toEqual(folder);
  });
});
