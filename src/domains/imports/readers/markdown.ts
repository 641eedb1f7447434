import { buffer } from 'node:stream/consumers';
import { ownTitle, splitPage } from '../../../content-engine/folder/index.ts';
import type { ConvertedPage } from '../../../content-engine/html/index.ts';
import { isExternal } from '../../../content-engine/links/index.ts';
import { analyse, rewriteHrefs } from '../../../content-engine/markdown/index.ts';
import { portablePath } from '../../../content-engine/tree/index.ts';
import { MAX_SOURCE } from '../../content/index.ts';
import { createCollector } from '../collector.ts';
import { ImportError, type ImportedFolder, type ImportWork, type SourceFile } from '../imported-folder.ts';
import { HTTP_MS } from '../limits.ts';

/** One Markdown file at a URL. */
export async function readMarkdown(work: ImportWork, url: string): Promise<ImportedFolder> {
  const request = { maxBytes: MAX_SOURCE, timeoutMs: HTTP_MS, signal: work.signal };
  const answer = await work.outbound.fetch(url, request);
  if (answer.status !== 200) throw new ImportError(400, `The remote server returned ${answer.status}.`);
  const page = pageOf(answer.body, answer.url);
  if (!page) throw new ImportError(422, 'This is not a Markdown file in UTF-8.');
  const collector = createCollector(work);
  collector.addPage(pathOf(new URL(answer.url).pathname), answer.url, page, [url]);
  return collector.finish();
}

/** Markdown files; all others are skipped. */
export async function readMarkdownFiles(
  work: ImportWork,
  files: readonly SourceFile[],
): Promise<ImportedFolder> {
  const collector = createCollector(work);
  for (const file of files) {
    work.signal.throwIfAborted();
    if (!/\.(?:md|markdown)$/i.test(file.name) || file.size > MAX_SOURCE) {
      collector.skip(file.name, 'is not a Markdown file of at most 2 MB');
      continue;
    }
    const page = pageOf(await buffer(await file.open()), undefined);
    if (page) collector.addPage(collector.freePath(pathOf(file.name)), file.name, page, []);
    else collector.skip(file.name, 'is not text in UTF-8');
  }
  return collector.finish();
}

const decoder = new TextDecoder('utf-8', { fatal: true });

/** Undefined: not UTF-8. Relative links become absolute: what they lead to is not imported. */
function pageOf(bytes: Uint8Array, url: string | undefined): ConvertedPage | undefined {
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    return undefined;
  }
  const { source, frontmatter, titleLine, body: original } = splitPage(text);
  const links = analyse(original).hrefs.flatMap((href) => {
    const isRelative = !isExternal(href.href) && !href.href.startsWith('#');
    return isRelative && url !== undefined && URL.canParse(href.href, url)
      ? [{ ...href, href: new URL(href.href, url).href }]
      : [];
  });
  const body = links.length === 0 ? original : rewriteHrefs(original, links);
  const { hrefs, sections, warnings } = analyse(body);
  return {
    title: ownTitle(source) ?? 'Untitled',
    markdown: frontmatter + titleLine + body,
    analysis: { hrefs, sections, warnings },
    navigation: [],
    links: [],
    images: [],
    generator: 'unknown',
    robots: { noIndex: false, noFollow: false },
  };
}

/** The file name at the end of a path. */
function pathOf(path: string): string {
  const name = decodeURIComponent(path.slice(path.lastIndexOf('/') + 1).replace(/%(?![0-9a-f]{2})/gi, '%25'));
  const stem = name.replace(/\.(?:md|markdown)$/i, '');
  return `${portablePath(stem === '' ? 'README' : stem)}.md`;
}
