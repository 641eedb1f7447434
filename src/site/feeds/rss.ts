import {
  eachBlock,
  headingsIn,
  plainText,
  type JSONDocument,
  type UpdateBlock,
} from '../../content-engine/document/index.ts';
import type { PageAnswer } from '../../platform/http/page.ts';
import { locate } from '../read/locate.ts';
import { readDocument } from '../read/read-document.ts';
import type { SiteRequest } from '../serve/request.ts';
import { sitePages, type SitePage } from './site-pages.ts';
import { answerText, escapeXml } from './text-answer.ts';

const RSS = 'application/rss+xml; charset=utf-8';
const MAX_ITEMS = 50;
const MAX_DESCRIPTION = 2000;

interface Item {
  readonly title: string;
  readonly url: string;
  readonly description: string;
  readonly date: Date | undefined;
}

/** At the root of a site, the pages that changed last; below a page, its updates. */
export async function serveRss(request: SiteRequest, pagePath: string): Promise<PageAnswer | undefined> {
  const { reader, addresses, visit, site } = request;
  const title = site.customization.title ?? site.title;
  if (pagePath === '') {
    const url = addresses.absolute(addresses.root);
    return answerText(request, 'rss', RSS, async () => feedOf(title, url, await changedPages(request)));
  }
  const located = await locate(visit.ctx, reader, addresses, pagePath);
  if (located.kind !== 'page') return undefined;
  const { space, page } = located;
  const document = await readDocument(reader, space, page);
  const updates = updatesIn(document);
  if (updates.length === 0) return undefined;
  const url = addresses.absolute(addresses.page(space, page.id));
  return answerText(request, `rss ${pagePath}`, RSS, async () =>
    feedOf(
      `${page.title} · ${title}`,
      url,
      updates.map((update) => itemOf(update, url)),
    ),
  );
}

async function changedPages({ reader, addresses }: SiteRequest): Promise<Item[]> {
  let latest: (SitePage & { readonly updatedAt: number })[] = [];
  const keepLatest = () => {
    latest = latest.toSorted((a, b) => b.updatedAt - a.updatedAt).slice(0, MAX_ITEMS);
  };
  for await (const { space, page } of sitePages(reader)) {
    const { noIndex, updatedAt } = page;
    if (noIndex || updatedAt === undefined) continue;
    latest.push({ space, page, updatedAt });
    if (latest.length === 20 * MAX_ITEMS) keepLatest();
  }
  keepLatest();
  return latest.map(({ space, page, updatedAt }) => ({
    title: page.title,
    url: addresses.absolute(addresses.page(space, page.id)),
    description: page.description ?? '',
    date: new Date(updatedAt),
  }));
}

function updatesIn({ nodes }: JSONDocument): UpdateBlock[] {
  const updates: UpdateBlock[] = [];
  eachBlock(nodes, (block) => {
    if (block.type === 'update') updates.push(block);
  });
  return updates.slice(0, MAX_ITEMS);
}

function itemOf({ data, nodes = [] }: UpdateBlock, url: string): Item {
  const document = { object: 'document', data: {}, nodes } as unknown as JSONDocument;
  const [heading] = headingsIn(document);
  const text = plainText(document);
  const date = data?.date === undefined ? undefined : new Date(data.date);
  return {
    title: heading?.title || text.split('\n', 1)[0] || (data?.date ?? ''),
    url: heading ? `${url}#${encodeURIComponent(heading.id)}` : url,
    description: text.slice(0, MAX_DESCRIPTION),
    date: date && !Number.isNaN(date.getTime()) ? date : undefined,
  };
}

const feedOf = (title: string, url: string, items: readonly Item[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0"><channel><title>${escapeXml(title)}</title><link>${escapeXml(url)}</link><description>${escapeXml(title)}</description>\n${items.map(itemXml).join('')}</channel></rss>\n`;

const itemXml = ({ title, url, description, date }: Item): string =>
  `<item><title>${escapeXml(title)}</title><link>${escapeXml(url)}</link><guid>${escapeXml(url)}</guid><description>${escapeXml(description)}</description>${date ? `<pubDate>${date.toUTCString()}</pubDate>` : ''}</item>\n`;
