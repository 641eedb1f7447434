import { brotliCompressSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { renderPage, type AssetName, type TreeEntry } from '../../src/site/index.ts';
import { samplePage, sampleSite } from './sample.ts';

/** What a reader loads before any interaction, in kilobytes (1,000 bytes) of gzip. */
const BUDGETS = { html: 15, css: 17, js: 15 } as const;

const site = sampleSite();
const sizeOf = (name: AssetName): number =>
  site.assets.file(site.assets.nameOf(name))?.gzip?.length ?? Number.NaN;
const kilobytes = (bytes: number): number => Math.round(bytes / 100) / 10;

describe('weight of a page', () => {
  test('with every block', () => {
    const html = renderPage(site, samplePage());
    const weights = {
      html: kilobytes(gzipSync(html).length),
      css: kilobytes(sizeOf('reader.css') + sizeOf('math.css')),
      js: kilobytes(sizeOf('reader.js')),
    };
    console.log(
      `gzip, kB: ${JSON.stringify(weights)}; brotli HTML: ${kilobytes(brotliCompressSync(html).length)}`,
    );
    expect(weights.html).toBeLessThanOrEqual(BUDGETS.html);
    expect(weights.css).toBeLessThanOrEqual(BUDGETS.css);
    expect(weights.js).toBeLessThanOrEqual(BUDGETS.js);
  });

  test('in a large site, of which the open branches are shown', () => {
    const level = (depth: number): TreeEntry[] => [
      ...Array.from({ length: 100 }, (_, index): TreeEntry => ({
        kind: 'page',
        title: `A page with a title of usual length, number ${index}`,
        href: `/docs/level-${depth}/a-page-with-a-title-of-usual-length-number-${index}`,
        hasChildren: index % 3 === 0,
        ...(index === 50 && depth < 3 && { isOpen: true, children: level(depth + 1) }),
      })),
      { kind: 'more', href: `/docs/~octavo/contents?page=${depth}`, count: 900 },
    ];
    const html = renderPage(site, samplePage({ tree: level(0) }));
    expect(kilobytes(gzipSync(html).length)).toBeLessThanOrEqual(BUDGETS.html);
  });
});
