import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { docx } from '../../../../test/docx.ts';
import { aWork } from '../../../../test/import-work.ts';
import { openArchive } from './archive/archive.ts';
import { readArchive } from './archive/read-archive.ts';
import { ARCHIVE_LIMITS } from './read-files.ts';

/** Word documents as programs write them, with the expected Markdown beside each. */

const CORPUS = fileURLToPath(new URL('docx-corpus/', import.meta.url));
const folder = mkdtempSync(path.join(tmpdir(), 'octavo-docx-corpus-'));
afterAll(() => rmSync(folder, { recursive: true }));

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

function documentOf(name: string): Buffer {
  const part = (file: string) => readFileSync(path.join(CORPUS, name, file), 'utf8');
  return docx('', {
    ...Object.fromEntries(
      ['document', 'styles', 'numbering', 'footnotes'].map((each) => [
        `word/${each}.xml`,
        part(`${each}.xml`),
      ]),
    ),
    'word/_rels/document.xml.rels': part('document.xml.rels'),
    'word/media/image1.png': PIXEL,
  });
}

async function convert(name: string) {
  const file = path.join(folder, `${name}.docx`);
  const bytes = documentOf(name);
  writeFileSync(file, bytes);
  const archive = await openArchive(
    [{ name: `${name}.docx`, path: file, size: bytes.length }],
    ARCHIVE_LIMITS,
  );
  try {
    const { files, skipped } = await readArchive(aWork(), archive);
    const page = files.find((each) => each.path.endsWith('.md'));
    return { markdown: page && 'bytes' in page ? Buffer.from(page.bytes).toString() : '', skipped };
  } finally {
    await archive.close();
  }
}

describe('the test set of Word documents', () => {
  const names = readdirSync(CORPUS);

  test('has documents of three programs', () => {
    expect(names).toEqual(['google-docs', 'libreoffice', 'word']);
  });

  test.each(names)('%s becomes the expected Markdown', async (name) => {
    const expected = readFileSync(path.join(CORPUS, name, 'expected.md'), 'utf8');
    expect((await convert(name)).markdown).toBe(expected);
  });

  test('what has no form in Markdown is listed', async () => {
    expect((await convert('word')).skipped).toEqual([
      { source: 'word.docx: OLEObject', reason: 'has no form in Markdown' },
    ]);
  });
});
