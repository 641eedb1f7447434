import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { docx, paragraph, picture, pictures } from '../../../../test/docx.ts';
import { aWork } from '../../../../test/import-work.ts';
import { craftZip } from '../../../../test/zip.ts';
import { writeStoredZip } from '../../../platform/zip/index.ts';
import { openArchive } from './archive/archive.ts';
import { readArchive } from './archive/read-archive.ts';
import { ARCHIVE_LIMITS } from './read-files.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'octavo-docx-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function read(bytes: Uint8Array, name = 'Report.docx') {
  const file = path.join(folder, name);
  writeFileSync(file, bytes);
  const archive = await openArchive([{ name, path: file, size: bytes.length }], ARCHIVE_LIMITS);
  try {
    const imported = await readArchive(aWork(), archive);
    const page = imported.files.find((each) => each.path.endsWith('.md'));
    return { ...imported, text: page && 'bytes' in page ? Buffer.from(page.bytes).toString() : '' };
  } finally {
    await archive.close();
  }
}

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** The relationship of the document to a part. */
const related = (type: string) => ({
  'word/_rels/document.xml.rels': `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${type}" Target="${type}.xml"/></Relationships>`,
});
const NUMBERED = related('numbering');
const ENDNOTES = related('endnotes');

describe('Word documents', () => {
  test('title, headings, quotes, code and pictures', async () => {
    const body = [
      paragraph('The title', 'Title'),
      paragraph('First', 'Heading1'),
      paragraph('Deeper', 'Heading2'),
      paragraph('Text with {% include %} and *stars*'),
      paragraph('Said', 'Quote'),
      paragraph('let a;', 'Code'),
      paragraph('let b;', 'Code'),
      picture('rId7'),
      picture('rId8'),
      picture('rId9'),
    ].join('');
    const { text, files, skipped, imported } = await read(
      docx(body, {
        ...pictures({ rId7: 'media/image 1.png', rId8: 'media/missing.png', rId9: 'media/old.emf' }),
        'word/media/image 1.png': PIXEL,
        'word/media/old.emf': 'EMF',
      }),
    );
    expect(text).toMatch(/^# The title\n/);
    expect(text).toContain('## First');
    expect(text).toContain('### Deeper');
    expect(text).toContain('> Said');
    expect(text).toContain('let a;\nlet b;');
    expect(text).toContain('.gitbook/assets/image%201.png');
    expect(files.map((file) => file.path)).toEqual(['Report.md', '.gitbook/assets/image 1.png']);
    expect(imported).toBe(2);
    expect(skipped).toEqual([
      { source: 'Report.docx/word/media/old.emf', reason: expect.stringContaining('browsers') },
    ]);
  });

  test('a list that a paragraph interrupts counts on, and one that begins anew does not', async () => {
    const item = (text: string, list: number, level = 0) =>
      `<w:p><w:pPr><w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="${list}"/></w:numPr></w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`;
    const level = (index: number, format: string) =>
      `<w:lvl w:ilvl="${index}"><w:start w:val="1"/><w:numFmt w:val="${format}"/></w:lvl>`;
    const numbering = `<?xml version="1.0"?><w:numbering xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:abstractNum w:abstractNumId="0">${level(0, 'decimal')}${level(1, 'lowerLetter')}</w:abstractNum><w:abstractNum w:abstractNumId="1">${level(0, 'bullet')}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="0"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride></w:num><w:num w:numId="3"><w:abstractNumId w:val="1"/></w:num></w:numbering>`;
    const body = [
      item('One', 1),
      item('A', 1, 1),
      item('Two', 1),
      paragraph('Between'),
      item('Three', 1),
      item('New A', 1, 1),
      item('Dot', 3),
      item('Four', 1),
      paragraph('Another list'),
      item('Anew', 2),
      paragraph('Between'),
      item('Second', 2),
    ].join('');
    const { text } = await read(docx(body, { 'word/numbering.xml': numbering, ...NUMBERED }));
    expect(text).toBe(
      '# Report\n\n1. One\n\n   1. A\n2. Two\n\nBetween\n\n3. Three\n\n   1. New A\n\n* Dot\n\n4. Four\n\nAnother list\n\n1. Anew\n\nBetween\n\n2. Second\n',
    );
  });

  test('endnotes are notes, without the arrows back', async () => {
    const note = (id: number, text: string) => `<w:endnote w:id="${id}">${paragraph(text)}</w:endnote>`;
    const endnotes = `<?xml version="1.0"?><w:endnotes xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">${note(2, 'The end')}</w:endnotes>`;
    const body = '<w:p><w:r><w:t>Text</w:t></w:r><w:r><w:endnoteReference w:id="2"/></w:r></w:p>';
    const { text } = await read(docx(body, { 'word/endnotes.xml': endnotes, ...ENDNOTES }));
    expect(text).toBe('# Report\n\nText[^1]\n\n[^1]: The end\n');
  });

  test('the name is the title of a document without headings, also in an archive', async () => {
    const bytes = docx(paragraph('Only text'));
    expect((await read(bytes)).text).toBe('# Report\n\nOnly text\n');
    const zip = writeStoredZip([
      { name: 'a/One.docx', bytes },
      { name: 'a/Two.docx', bytes: docx(paragraph('Second')) },
    ]);
    const { files } = await read(zip, 'docs.zip');
    expect(files.map((file) => file.path)).toEqual(['One.md', 'Two.md']);
  });

  test('elements that are nested too deeply are refused', async () => {
    const [open, close] = ['<w:tbl><w:tr><w:tc>', '</w:tc></w:tr></w:tbl>'];
    const nested = open.repeat(5000) + paragraph('x') + close.repeat(5000);
    await expect(read(docx(nested))).rejects.toThrow(/nested too deeply. Simplify/);
  });

  test('the bytes decide, not the name', async () => {
    expect((await read(docx(paragraph('x')), 'named.zip')).files[0]?.path).toBe('named.md');
  });

  test.each<[string, number, RegExp, Uint8Array]>([
    ['text', 422, /not a Word document/, Buffer.from('Dear Sir')],
    [
      'a ZIP without a document',
      422,
      /No page/,
      writeStoredZip([{ name: 'a.xml', bytes: Buffer.from('<a/>') }]),
    ],
    ['a DOCTYPE', 422, /DOCTYPE/, docx('', { 'word/x.xml': '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>' })],
    ['150,001 elements', 413, /150,000/, docx('<w:p/>'.repeat(150_001))],
    ['too much XML', 413, /16 MB/, docx('', { 'word/x.xml': Buffer.alloc(17 * 1024 * 1024, ' ') })],
    ['too much text', 413, /4 MB of text/, docx(paragraph('x'.repeat(1000)).repeat(4300))],
    ['XML without tags', 413, /150,000/, docx('', { 'word/x.xml': '<'.repeat(10_000_000) })],
    ['a damaged document', 422, /damaged/, docx('<w:p>')],
  ])('%s', async (_, status, message, bytes) => {
    await expect(read(bytes)).rejects.toMatchObject({ status, message: expect.stringMatching(message) });
  });

  test('300 MB of XML', async () => {
    const entry = { name: 'word/document.xml', content: 'x', method: 8, size: 300 * 1024 * 1024 };
    const bytes = craftZip([{ name: '[Content_Types].xml', content: '<a/>' }, entry]);
    await expect(read(bytes)).rejects.toMatchObject({ reason: 'too-large' });
  });
});
