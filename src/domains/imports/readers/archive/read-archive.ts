import type { OutlineRow } from '../../../../content-engine/folder/index.ts';
import { createCollector } from '../../folder/collector.ts';
import { noPages, type ImportedFolder, type ImportWork } from '../../folder/imported-folder.ts';
import type { Archive } from './archive.ts';
import { archiveIdentity, type ArchiveJob } from './archive-job.ts';
import { kindOf, type ArchiveKind } from './archive-kind.ts';
import { readConfluence } from './confluence.ts';
import { readGitHubWiki } from './github-wiki.ts';
import { readHtmlArchive } from './html-archive.ts';
import { readMarkdownArchive } from './markdown-archive.ts';
import { notionIdentity, readNotion } from './notion.ts';

const READERS: Readonly<Record<ArchiveKind, (job: ArchiveJob) => Promise<OutlineRow[] | undefined>>> = {
  markdown: readMarkdownArchive,
  html: (job) => readHtmlArchive(job),
  'google-docs': (job) => readHtmlArchive(job, 'google-docs'),
  'github-wiki': readGitHubWiki,
  confluence: readConfluence,
  notion: readNotion,
};

/** Reads an archive by its kind, or as the kind that the user named. */
export async function readArchive(
  work: ImportWork,
  archive: Archive,
  named?: ArchiveKind,
): Promise<ImportedFolder> {
  const kind = named ?? kindOf(archive.entries.map(({ path }) => path));
  const collector = createCollector(work, kind === 'notion' ? notionIdentity : archiveIdentity);
  for (const { source, reason } of archive.skipped) collector.skip(source, reason);
  const outline = await READERS[kind]({ work, collector, archive });
  const folder = collector.finish(outline);
  if (folder.analyses.size === 0) throw noPages(folder);
  return folder;
}
