import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pageAt } from './corpus.ts';

const PAGES_PER_PART = 40;

const partOf = (n: number): string => `part-${Math.floor(n / PAGES_PER_PART)}`;

const fileOf = (n: number): string => `${partOf(n)}/page-${n}.md`;

/** The first pages of the corpus as a folder: parts of 40 pages, a SUMMARY.md, and a link from each page to the next. */
export function writeFolder(folder: string, count: number): void {
  const summary: string[] = ['# Table of contents'];
  for (let n = 0; n < count; n++) {
    const { title, markdown } = pageAt(n);
    const next = path.posix.relative(partOf(n), fileOf((n + 1) % count));
    if (n % PAGES_PER_PART === 0) {
      mkdirSync(path.join(folder, partOf(n)), { recursive: true });
      summary.push('', `## Part ${n / PAGES_PER_PART}`, '');
    }
    writeFileSync(path.join(folder, fileOf(n)), `# ${title}\n\n${markdown}\nNext: [there](${next}).\n`);
    summary.push(`* [${title}](${fileOf(n)})`);
  }
  writeFileSync(path.join(folder, 'SUMMARY.md'), `${summary.join('\n')}\n`);
}
