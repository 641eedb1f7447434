import { describe, expect, test } from 'vitest';
import type { ConvertedPage } from '../../../content-engine/html/index.ts';
import { splitPage } from '../../../content-engine/folder/index.ts';
import { hashOf } from '../../../content-engine/map/index.ts';
import { analyse } from '../../../content-engine/markdown/index.ts';
import { createCollector } from './collector.ts';
import type { ImportLimits, ImportWork, Progress } from './imported-folder.ts';

const SITE = 'https://docs.example';

function workWith(limits: Partial<ImportLimits> = {}, reports: Progress[] = []): ImportWork {
  const unused = () => Promise.reject(new Error('is not used here'));
  return {
    outbound: { fetch: unused, stream: unused, check: unused, resolveTxt: unused },
    convert: unused,
    convertDocx: unused,
    storeFile: async (_name, bytes) => ({
      hash: hashOf(bytes),
      size: bytes.length,
      contentType: 'image/png',
    }),
    limits: {
      pages: 10,
      textBytes: 1000,
      files: 3,
      fileBytes: 100,
      filesBytes: 250,
      listed: 1000,
      ...limits,
    },
    deadline: { pagesUntil: Infinity, filesUntil: Infinity },
    signal: new AbortController().signal,
    report: (progress) => void reports.push(progress),
  };
}

function page(markdown: string): ConvertedPage {
  const { hrefs, sections, specs, anchors, warnings } = analyse(splitPage(markdown).body);
  return {
    title: 'Page',
    markdown,
    analysis: { hrefs, sections, specs, anchors, warnings },
    navigation: [],
    contents: [],
    links: [],
    images: [],
    generator: 'unknown',
    robots: { noIndex: false, noFollow: false },
  };
}

const textOf = (folder: { files: readonly object[] }, path: string): string => {
  const file = folder.files.find((each) => 'path' in each && each.path === path);
  return file && 'bytes' in file ? Buffer.from(file.bytes as Uint8Array).toString() : '';
};

describe('counts', () => {
  test('each resource once, whatever becomes of it', async () => {
    const reports: Progress[] = [];
    const collector = createCollector(workWith({}, reports));
    for (const path of ['/a', '/b', '/c', '/d', '/a']) collector.found(SITE + path);
    collector.addPage('a.md', `${SITE}/a`, page('# A\n'), []);
    collector.skip(`${SITE}/b`, 'robots.txt');
    collector.skip(`${SITE}/b`, 'again');
    collector.skip(`${SITE}/a`, 'was imported');
    collector.addAlias(`${SITE}/c`, `${SITE}/a`);
    const folder = collector.finish();
    expect(folder).toMatchObject({ found: 3, imported: 1, skippedCount: 2 });
    expect(folder.skipped).toEqual([
      { source: `${SITE}/b`, reason: 'robots.txt' },
      { source: `${SITE}/d`, reason: 'was not read' },
    ]);
    expect(reports[0]).toMatchObject({ found: 4, imported: 1, skipped: 0 });
  });

  test('list at most 1,000 skipped resources, and count all', async () => {
    const collector = createCollector(workWith());
    for (let index = 0; index < 1500; index++) collector.skip(`${SITE}/${index}`, 'limit');
    const folder = collector.finish();
    expect(folder.skipped).toHaveLength(1000);
    expect(folder).toMatchObject({ found: 1500, skippedCount: 1500 });
  });
});

describe('descriptions', () => {
  test('that several HTML pages share are those of the site', async () => {
    const collector = createCollector(workWith());
    const described = (title: string, description: string): ConvertedPage => ({
      ...page(`---\ndescription: ${description}\n---\n\n# ${title}\n`),
      description,
      anchorsById: new Map(),
    });
    collector.addPage('a.md', `${SITE}/a`, described('A', 'Site'), []);
    collector.addPage('b.md', `${SITE}/b`, described('B', 'Site'), []);
    collector.addPage('c.md', `${SITE}/c`, described('C', 'Own'), []);
    const folder = collector.finish();
    expect(textOf(folder, 'a.md')).toBe('# A\n');
    expect(textOf(folder, 'c.md')).toBe('---\ndescription: Own\n---\n\n# C\n');
  });
});

describe('limits', () => {
  test('of pages and of text end the import; what is beyond them is skipped', async () => {
    const few = createCollector(workWith({ pages: 1 }));
    expect(few.addPage('a.md', `${SITE}/a`, page('# A\n'), [])).toBe(true);
    expect(few.addPage('b.md', `${SITE}/b`, page('# B\n'), [])).toBe(false);
    expect(few.finish().skipped).toEqual([{ source: `${SITE}/b`, reason: 'limit of 1 pages' }]);
    const short = createCollector(workWith({ textBytes: 20 }));
    expect(short.addPage('a.md', `${SITE}/a`, page('ä'.repeat(11)), [])).toBe(false);
    expect(short.finish().skipped[0]?.reason).toMatch(/of text/);
  });

  test('of one file skip that file alone', async () => {
    const collector = createCollector(workWith());
    expect(await collector.addFile('a.png', `${SITE}/a.png`, new Uint8Array(101), [])).toBe(true);
    expect(await collector.addFile('b.png', `${SITE}/b.png`, new Uint8Array(100), [])).toBe(true);
    expect(await collector.addFile('c.png', `${SITE}/c.png`, new Uint8Array(99), [])).toBe(true);
    expect(await collector.addFile('d.png', `${SITE}/d.png`, new Uint8Array(99), [])).toBe(false);
    expect(collector.finish()).toMatchObject({ found: 4, imported: 2, skippedCount: 2 });
  });

  test('of settings refuse the import', () => {
    const collector = createCollector(workWith({ textBytes: 10 }));
    expect(() => collector.addSetting('SUMMARY.md', new Uint8Array(11))).toThrow(/SUMMARY\.md/);
  });
});

describe('paths', () => {
  test('are free regardless of case', () => {
    const collector = createCollector(workWith());
    expect(collector.freePath('a.md')).toBe('a.md');
    expect(collector.freePath('A.md')).toBe('A-1.md');
  });

  test('of two pages differ', async () => {
    const collector = createCollector(workWith());
    collector.addPage('a.md', `${SITE}/a`, page('# A\n'), []);
    collector.addPage('a.md', `${SITE}/b`, page('# B\n'), []);
    expect(collector.finish().skipped[0]?.reason).toMatch(/path a\.md/);
  });
});

describe('links', () => {
  test('between imported resources become relative paths, with their fragments', async () => {
    const collector = createCollector(workWith(), (url) => url.replace(/\/?(#.*)?$/, ''));
    const text = `# A\n\n[B](${SITE}/x/b#top) [B again](${SITE}/b-old/) ![p](${SITE}/p.png) [Other](${SITE}/other) [A](#a)\n`;
    collector.addPage('a.md', `${SITE}/a`, page(text), []);
    collector.addPage('x/b.md', `${SITE}/x/b/`, page(`# B\n\n[A](${SITE}/a/)\n`), [`${SITE}/b-old`]);
    await collector.addFile('.gitbook/assets/p.png', `${SITE}/p.png`, Buffer.from('x'), []);
    const folder = collector.finish();
    expect(textOf(folder, 'a.md')).toBe(
      `# A\n\n[B](x/b.md#top) [B again](x/b.md) ![p](.gitbook/assets/p.png) [Other](${SITE}/other) [A](#a)\n`,
    );
    expect(textOf(folder, 'x/b.md')).toBe('# B\n\n[A](../a.md)\n');
    expect(folder.analyses.get('x/b.md')?.hrefs).toEqual(['../a.md']);
  });

  test('of Markdown that lead there already keep their spelling', async () => {
    const collector = createCollector(workWith());
    const base = 'http://archive.invalid';
    const text = '---\ndescription: x\n---\n# A\n\n[B](./b.md) [C](C%20abc.md) [C](<C abc.md>)\n';
    collector.addPage('a.md', 'a.md', page(text), [`${base}/a.md`]);
    collector.addPage('b.md', 'b.md', page('# B\n'), [`${base}/b.md`]);
    collector.addPage('C.md', 'C abc.md', page('# C\n'), [`${base}/C%20abc.md`]);
    const folder = collector.finish();
    expect(textOf(folder, 'a.md')).toBe(
      '---\ndescription: x\n---\n# A\n\n[B](./b.md) [C](C.md) [C](<C.md>)\n',
    );
  });
});
