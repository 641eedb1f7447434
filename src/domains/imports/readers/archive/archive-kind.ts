export type ArchiveKind = 'markdown' | 'html' | 'notion' | 'confluence' | 'google-docs' | 'github-wiki';

export const isMarkdown = (path: string): boolean => /\.(?:mdx?|markdown|mdown|mkdn?)$/i.test(path);
export const isHtml = (path: string): boolean => /\.(?:html?|xhtml)$/i.test(path);
export const isDocx = (path: string): boolean => /\.docx$/i.test(path);

/** A page or database of a Notion export: its name, an id, and the extension. */
export const NOTION_NAME = / [0-9a-f]{32}(?:_all)?\.(?:md|html|csv)$/i;

const CONFLUENCE_PAGE = /^(?:[^/]*_)?\d+\.html$/;
/** Pages of a wiki that frame the others. */
export const WIKI_FRAME = /(?:^|\/)_(?:Sidebar|Footer|Header)\.\w+$/i;

/** The program that exported an archive, by the names of its files. */
export function kindOf(paths: readonly string[]): ArchiveKind {
  const has = (path: string) => paths.includes(path);
  const pages = paths.filter((path) => isMarkdown(path) || isHtml(path));
  const inNotion = pages.filter((path) => NOTION_NAME.test(path)).length;
  if (inNotion > 0 && inNotion * 2 >= pages.length) return 'notion';
  if (isConfluenceXml(paths)) return 'confluence';
  if (has('index.html') && has('styles/site.css') && paths.some((path) => CONFLUENCE_PAGE.test(path)))
    return 'confluence';
  const isBook = has('SUMMARY.md') || has('README.md') || has('.gitbook.yaml');
  if (!isBook && (has('Home.md') || paths.some((path) => WIKI_FRAME.test(path)))) return 'github-wiki';
  if (pages.some(isMarkdown) || pages.length === 0) return 'markdown';
  const [page, another] = pages;
  const isDocument = another === undefined && page !== undefined && !page.includes('/');
  return isDocument && paths.every((path) => path === page || path.startsWith('images/'))
    ? 'google-docs'
    : 'html';
}

/** An export of a Confluence space as XML, which contains no pages that could be read. */
export const isConfluenceXml = (paths: readonly string[]): boolean => paths.includes('entities.xml');
