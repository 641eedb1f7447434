import type { ConvertedPage, ConvertInput } from '../../../content-engine/html/index.ts';
import { splitPage } from '../../../content-engine/folder/index.ts';
import { hrefReplacements, parseHref } from '../../../content-engine/links/index.ts';
import { rewriteHrefs } from '../../../content-engine/markdown/index.ts';
import { createCollector } from '../folder/collector.ts';
import { ImportError, type ImportedFolder, type ImportWork } from '../folder/imported-folder.ts';
import { pagePathOf } from './archive/markdown-archive.ts';
import { failureOfSize, notConvertible } from './page-failure.ts';
import { identityOf, ImageReader } from './website/images.ts';

/**
 * One page of Markdown or HTML behind a URL, with its images. Its links become absolute, because the pages that they
 * lead to are not imported.
 */
export async function readSinglePage(
  work: ImportWork,
  input: ConvertInput,
  name: string,
): Promise<ImportedFolder> {
  const collector = createCollector(work, identityOf);
  const page = await convertOne(work, input);
  const absolute = input.kind === 'markdown' ? withAbsoluteLinks(page, input.url) : page.markdown;
  const final =
    absolute === page.markdown ? page : await convertOne(work, { ...input, bytes: Buffer.from(absolute) });
  if (!collector.addPage(pagePathOf(name), input.url, final, []))
    throw new ImportError(413, 'The page exceeds the limit for text.', 'Split it into smaller pages.');
  const images = new ImageReader(work, collector, () => true);
  for (const url of final.images) await images.add(url);
  await images.read();
  return collector.finish();
}

async function convertOne(work: ImportWork, input: ConvertInput): Promise<ConvertedPage> {
  const [outcome] = await work.convert([input]);
  if (outcome === undefined || 'failure' in outcome)
    throw notConvertible('The page', outcome ?? { failure: 'There is no result.' });
  const failure = failureOfSize(outcome.page);
  if (failure) throw notConvertible('The page', failure);
  return outcome.page;
}

function withAbsoluteLinks({ markdown, analysis }: ConvertedPage, url: string): string {
  const { body } = splitPage(markdown);
  const links = new Map<string, string>();
  for (const { href } of analysis.hrefs) {
    const address = parseHref(href);
    if (address !== undefined && address.path !== '' && URL.canParse(href, url))
      links.set(href, new URL(href, url).href);
  }
  if (links.size === 0) return markdown;
  const head = markdown.slice(0, markdown.length - body.length);
  return head + rewriteHrefs(body, hrefReplacements(analysis.hrefs, links));
}
