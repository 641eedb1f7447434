import { spool, type Spool } from '../../../platform/spool.ts';
import { openZip, ZipError, type Zip, type ZipEntry } from '../../../platform/zip/index.ts';
import { ImportError, type DocxInput } from '../folder/imported-folder.ts';
import { MAX_DOCX_XML, MAX_ENTRIES, MAX_HTML, MAX_INFLATED } from '../limits.ts';
import { CONTENT_TYPES, WORD_DOCUMENT, type ArchiveEntry } from './archive/archive.ts';
import { addFiles, readEntry, urlOf, type ArchiveJob } from './archive/archive-job.ts';
import { notConvertible } from './page-failure.ts';

export interface ArchiveDocument {
  readonly entry: ArchiveEntry;
  readonly path: string;
}

/** Adds Word documents one after the other. If the archive is one document, its failure is that of the import. */
export async function addDocuments(job: ArchiveJob, documents: readonly ArchiveDocument[]): Promise<void> {
  const { work, collector, archive } = job;
  for (const { entry } of documents) collector.found(entry.path);
  for (const document of documents) {
    work.signal.throwIfAborted();
    const { path } = document.entry;
    if (performance.now() > work.deadline.pagesUntil) {
      collector.skip(path, 'time limit');
      continue;
    }
    try {
      await addDocument(job, document);
    } catch (error) {
      const isExpected = error instanceof ImportError || error instanceof ZipError;
      if (!isExpected || archive.entries.length === 1) throw error;
      collector.skip(path, error.message);
    }
  }
}

export const notDocx = () =>
  new ImportError(422, 'This is not a Word document (.docx). Save the document as .docx and send that file.');

const tooMuchText = (maxBytes: number) =>
  new ImportError(
    413,
    `The text of the Word document exceeds ${maxBytes / 1024 / 1024} MB. Split it into smaller ones.`,
  );

/** The bytes of a document inside an archive. */
const MAX_NESTED = 100 * 1024 * 1024;

async function addDocument(job: ArchiveJob, { entry, path }: ArchiveDocument): Promise<void> {
  const spooled = entry.file === undefined ? await spoolEntry(entry) : undefined;
  const zip = await openDocument(spooled?.path ?? entry.file ?? '');
  try {
    const outcome = await job.work.convertDocx(await readParts(zip, entry.path));
    if ('failure' in outcome) throw new ImportError(outcome.status, outcome.failure);
    // Parsing HTML needs many times its size.
    if (Buffer.byteLength(outcome.html) > MAX_HTML) throw tooMuchText(MAX_HTML);
    await addConverted(job, zip, { entry, path }, outcome.html);
    for (const what of outcome.lost) job.collector.skip(`${entry.path}: ${what}`, 'has no form in Markdown');
  } finally {
    zip.close();
    await spooled?.dispose();
  }
}

/** A document inside an archive. */
async function spoolEntry(entry: ArchiveEntry): Promise<Spool> {
  const bytes = await readEntry(entry, MAX_NESTED);
  if (typeof bytes === 'string') throw new ImportError(413, bytes);
  return spool(only(bytes), entry.size);
}

async function* only(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

async function openDocument(path: string): Promise<Zip> {
  let zip: Zip;
  try {
    zip = await openZip(path, { entries: MAX_ENTRIES, bytes: MAX_INFLATED });
  } catch (error) {
    throw error instanceof ZipError && error.reason === 'not-zip' ? notDocx() : error;
  }
  const has = (name: string) => zip.entries.some((entry) => entry.path === name);
  if (has(WORD_DOCUMENT) && has(CONTENT_TYPES)) return zip;
  zip.close();
  throw notDocx();
}

const isXml = ({ path }: ZipEntry): boolean => /\.(?:xml|rels)$/i.test(path);

async function readParts({ entries }: Zip, name: string): Promise<DocxInput> {
  const xml = entries.filter(isXml);
  const size = xml.reduce((sum, part) => sum + part.size, 0);
  if (size > MAX_DOCX_XML) throw tooMuchText(MAX_DOCX_XML);
  const parts = [];
  for (const part of xml) parts.push({ name: part.path, bytes: await part.read() });
  return {
    parts,
    media: entries.filter((part) => !isXml(part)).map(({ path }) => path),
    title: name.slice(name.lastIndexOf('/') + 1).replace(/\.docx$/i, ''),
  };
}

/** Pictures in formats of Windows, which browsers cannot show. */
const isUnknownFormat = (path: string): boolean => /\.(?:emf|wmf)$/i.test(path);

async function addConverted(
  job: ArchiveJob,
  zip: Zip,
  { entry, path }: ArchiveDocument,
  html: string,
): Promise<void> {
  const { work, collector } = job;
  // Paths of media are relative to the document as if it were a folder.
  const url = `${urlOf(entry.path)}/`;
  const input = { kind: 'html', generator: 'mammoth', contentType: 'text/html; charset=utf-8' } as const;
  const [outcome] = await work.convert([{ ...input, bytes: Buffer.from(html), url }]);
  if (outcome === undefined || 'failure' in outcome)
    throw notConvertible('The Word document', outcome ?? { failure: 'There is no result.' });
  const { page } = outcome;
  if (!collector.addPage(path, entry.path, page, [url, urlOf(entry.path)])) return;
  const used = new Set(page.images);
  const media = zip.entries.filter((part) => used.has(url + encodeURI(part.path)));
  for (const { path: medium } of media.filter((part) => isUnknownFormat(part.path)))
    collector.skip(`${entry.path}/${medium}`, 'browsers cannot show this format; replace it by PNG or SVG');
  await addFiles(
    job,
    media
      .filter((part) => !isUnknownFormat(part.path))
      .map((part) => ({
        entry: { ...part, path: `${entry.path}/${part.path}` },
        path: `.gitbook/assets/${part.path.slice(part.path.lastIndexOf('/') + 1)}`,
      })),
  );
}
