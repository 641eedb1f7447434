import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { canonicalBlocks } from '../document/index.ts';
import { parseDocument, splitSource, toMarkdown } from '../markdown/index.ts';
import { convertPage } from './index.ts';

/** Pages in the style of well-known generators, with the expected Markdown beside each. */

const FOLDER = new URL('corpus/', import.meta.url);
const NAMES = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.html'))
  .map((name) => name.slice(0, -'.html'.length));

const convert = (name: string) =>
  convertPage({
    kind: 'html',
    bytes: readFileSync(new URL(`${name}.html`, FOLDER)),
    url: `https://docs.example.org/guide/${name}.html`,
  });

const outline = (name: string): string[] =>
  convert(name).navigation.map(
    ({ depth, title, url }) =>
      `${'  '.repeat(depth - 1)}${title} ${url === undefined ? '' : new URL(url).pathname}`,
  );

describe('the conversion test set', () => {
  it('has a page of at least 12 generators', () => {
    expect(NAMES.length).toBeGreaterThanOrEqual(12);
  });

  it.each(NAMES)('%s becomes the expected Markdown', (name) => {
    expect(convert(name).markdown).toBe(readFileSync(new URL(`${name}.md`, FOLDER), 'utf8'));
  });

  it.each(NAMES)('%s is detected', (name) => {
    expect(convert(name).generator).toBe(name === 'plain-1998' ? 'unknown' : name);
  });

  it.each(NAMES)('%s is read as it was written, without warnings', (name) => {
    const { markdown, analysis } = convert(name);
    const document = parseDocument(splitSource(markdown).body);
    expect(canonicalBlocks(parseDocument(toMarkdown(document)).nodes)).toEqual(
      canonicalBlocks(document.nodes),
    );
    expect(analysis.warnings).toEqual([]);
  });
});

describe('navigation', () => {
  it('has pages and groups in order', () => {
    expect(outline('docusaurus')).toEqual([
      'Overview /guide/',
      'Getting started /guide/start',
      '  Install the agent /guide/install',
      '  Your first check /guide/first-check',
      'Reference ',
      '  Command line /guide/cli',
    ]);
  });

  it('has the current page, which links to no address of its own', () => {
    expect(outline('sphinx')).toEqual([
      'Using Rill ',
      '  Installation /guide/install.html',
      '  Streams /guide/sphinx.html',
      'Reference ',
      '  API /guide/api.html',
      '    Core /guide/api-core.html',
    ]);
    expect(outline('mkdocs')).toEqual(['Home /', 'Operate ', '  Backups /guide/', '  Restore /restore/']);
  });

  it('has levels by class', () => {
    expect(outline('vitepress')).toEqual([
      'Introduction ',
      '  Start /guide/start.html',
      '  Concepts ',
      '    Routing /guide/routing.html',
      'More ',
      '  Deploy /guide/deploy.html',
    ]);
  });
});
