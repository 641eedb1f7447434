import { updatesIn, type Update } from '../../content-engine/document/index.ts';
import type { DocumentPage } from '../../content-engine/tree/index.ts';
import type { PageAnswer } from '../../platform/http/pages/page.ts';
import { locate } from '../read/locate.ts';
import type { OpenSpace } from '../read/pages/open-space.ts';
import { hasUpdates, readForVisitor } from '../read/pages/read-document.ts';
import type { SiteRequest } from '../serve/request.ts';
import { sitePages } from './site-pages.ts';
import { answerText, answerTextIfAny, escapeXml } from './text-answer.ts';

const RSS = 'application/rss+xml; charset=utf-8';
const MAX_ITEMS = 50;
const MAX_DESCRIPTION = 2000;

interface Item {
  readonly title: string;
  readonly url: string;
  readonly description: string;
  readonly date: Date | undefined;
}

/** The pages of a site that changed last; below a page, its updates. */
export async function serveRss(request: SiteRequest, pagePath: string): Promise<PageAnswer | undefined> {
  const { reader, addresses, visit, site } = request;
  const title = site.customization.title ?? site.title;
  if (pagePath === '') {
    const url = addresses.absolute(addresses.root);
    return answerText(request, 'rss', RSS, async (signal) =>
      feedOf(title, url, await changedPages(request, signal)),
    );
  }
  // Every page has a path as Markdown. As HTML, the first one has that of its space.
  const located = await locate(visit.ctx, reader, addresses, `${pagePath}.md`);
  if (located.kind !== 'page') return undefined;
  const { space, page } = located;
  if (!(await hasUpdates(space, page))) return undefined;
  return answerTextIfAny(request, `rss ${space.siteSpace.id}/${page.id}`, RSS, async () => {
    const url = addresses.absolute(addresses.page(space, page.id));
    const items = (await listUpdates(request, space, page)).map((update) => itemOf(update, url));
    return items.length === 0 ? '' : feedOf(`${page.title} · ${title}`, url, items);
  });
}

const listUpdates = ({ reader }: SiteRequest, space: OpenSpace, page: DocumentPage): Promise<Update[]> =>
  readForVisitor(reader, space, page, (document) => updatesIn(document, MAX_ITEMS, MAX_DESCRIPTION));

async function changedPages({ reader, addresses }: SiteRequest, signal: AbortSignal): Promise<Item[]> {
  const latest: DatedPage[] = [];
  for await (const { space, page } of sitePages(reader, signal)) {
    const { updatedAt, noIndex } = page;
    if (noIndex || updatedAt === undefined) continue;
    const at = latest.findIndex((other) => other.updatedAt < updatedAt);
    if (at < 0 && latest.length === MAX_ITEMS) continue;
    latest.splice(at < 0 ? latest.length : at, 0, { siteSpace: space.siteSpace, page, updatedAt });
    latest.length = Math.min(latest.length, MAX_ITEMS);
  }
  const items: Item[] = [];
  for (const { siteSpace, page, updatedAt } of latest) {
    const url = addresses.absolute(addresses.page(await reader.open(siteSpace), page.id));
    const { title, description = '' } = page;
    items.push({ title, url, description, date: new Date(updatedAt) });
  }
  return items;
}

/** A page without its space, whose tree need not stay in memory. */
interface DatedPage {
  readonly siteSpace: OpenSpace['siteSpace'];
  readonly page: DocumentPage;
  readonly updatedAt: number;
}

function itemOf({ date: written, heading, text }: Update, url: string): Item {
  const date = written === undefined ? undefined : new Date(written);
  return {
    title: heading?.title || text.split('\n', 1)[0] || (written ?? ''),
    url: heading ? `${url}#${encodeURIComponent(heading.id)}` : url,
    description: text,
    date: date && !Number.isNaN(date.getTime()) ? date : undefined,
  };
}

const feedOf = (title: string, url: string, items: readonly Item[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0"><channel><title>${escapeXml(title)}</title><link>${escapeXml(url)}</link><description>${escapeXml(title)}</description>\n${items.map(itemXml).join('')}</channel></rss>\n`;

const itemXml = ({ title, url, description, date }: Item): string =>
  `<item><title>${escapeXml(title)}</title><link>${escapeXml(url)}</link><guid>${escapeXml(url)}</guid><description>${escapeXml(description)}</description>${date ? `<pubDate>${date.toUTCString()}</pubDate>` : ''}</item>\n`;
