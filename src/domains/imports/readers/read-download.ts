import { readFile } from 'node:fs/promises';
import { readStart } from '../../../platform/read-start.ts';
import { ImportError, type ImportedFolder, type ImportWork } from '../folder/imported-folder.ts';
import { MAX_HTML } from '../limits.ts';
import type { ImportSource } from '../schema.ts';
import { beginsAsZip, openArchive } from './archive/archive.ts';
import { isDocx, type ArchiveKind } from './archive/archive-kind.ts';
import { notDocx } from './docx.ts';
import { download, type Download } from './download.ts';
import { readArchive } from './archive/read-archive.ts';
import { ARCHIVE_LIMITS } from './read-files.ts';
import { readSinglePage } from './single-page.ts';

/** The sources of a single response. */
export type DownloadedSource = Exclude<ImportSource, 'website'>;

/** Sources whose archives are read as what they are. */
const DETECTED = new Set<DownloadedSource>(['docx', 'markdown', 'html', 'zip']);

/**
 * Reads what a URL returns. The bytes decide between an archive and a page; the source decides how it is read.
 * `readWiki`: a wiki of GitHub that is shown as a website.
 */
export async function readDownload(
  work: ImportWork,
  source: DownloadedSource,
  url: string,
  readWiki: (url: string) => Promise<ImportedFolder>,
): Promise<ImportedFolder> {
  const downloaded = await download(work, source === 'google-docs' ? exportOf(url) : url);
  try {
    if (source === 'zip' || (await beginsAsZip(downloaded.path)))
      return await readDownloadedArchive(work, source, downloaded);
    if (source === 'docx') throw notDocx();
    if (source === 'confluence')
      throw new ImportError(422, 'This is not a ZIP file. Export the space as HTML and send that ZIP.');
    const isHtml = await looksLikeHtml(downloaded);
    if (source === 'github-wiki' && isHtml) return await readWiki(downloaded.url);
    return await readPage(work, source, downloaded, isHtml);
  } finally {
    await downloaded.dispose();
  }
}

async function readDownloadedArchive(
  work: ImportWork,
  source: DownloadedSource,
  downloaded: Download,
): Promise<ImportedFolder> {
  const name = source === 'zip' ? `${downloaded.name}.zip` : downloaded.name;
  const archive = await openArchive([{ ...downloaded, name }], ARCHIVE_LIMITS);
  try {
    const [only, another] = archive.entries;
    const isDocument = only !== undefined && another === undefined && only.file !== undefined;
    if (source === 'docx' && !(isDocument && isDocx(only.path))) throw notDocx();
    const kind = DETECTED.has(source) || isDocument ? undefined : (source as ArchiveKind);
    return await readArchive(work, archive, kind);
  } finally {
    await archive.close();
  }
}

async function readPage(
  work: ImportWork,
  source: DownloadedSource,
  { path, size, url, contentType, name }: Download,
  isHtml: boolean,
): Promise<ImportedFolder> {
  if (source === 'markdown' && isHtml)
    throw new ImportError(
      422,
      'The URL returns HTML, not Markdown. Send the URL of the Markdown file itself, or choose the source "html".',
    );
  if (size > MAX_HTML)
    throw new ImportError(
      413,
      `The page exceeds ${MAX_HTML / 1024 / 1024} MB.`,
      'Split it into smaller pages.',
    );
  const kind = isHtml || source === 'html' || source === 'google-docs' ? 'html' : 'markdown';
  const generator = kind === 'html' && (source === 'notion' || source === 'google-docs') ? source : undefined;
  const input = { kind, bytes: await readFile(path), url } as const;
  return readSinglePage(
    work,
    { ...input, ...(generator && { generator }), ...(contentType !== undefined && { contentType }) },
    name,
  );
}

/** The kind of a download by its first bytes, then by its type: many servers send Markdown as `text/html`, or HTML as `text/plain`. */
async function looksLikeHtml({ path, contentType = '' }: Download): Promise<boolean> {
  const start = (await readStart(path, 1024)).toString('latin1').replace(/^\u00ef\u00bb\u00bf/, '');
  if (/^\s*(?:<\?xml[^>]*>\s*)?(?:<!--[\s\S]*?-->\s*)?<(?:!doctype html|html|head|body)\b/i.test(start))
    return true;
  return /^(?:text\/html|application\/xhtml\+xml)\b/i.test(contentType) && /^\s*</.test(start);
}

/** The address of a Google document in the editor is that of an application; its export has the text and the images. */
function exportOf(url: string): string {
  const id =
    /^https:\/\/docs\.google\.com\/document\/(?:u\/\d+\/)?d\/([\w-]{20,})(?:\/(?:edit|view|preview).*|\/?)$/.exec(
      url,
    )?.[1];
  return id === undefined ? url : `https://docs.google.com/document/d/${id}/export?format=zip`;
}
