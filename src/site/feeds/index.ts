import type { PageAnswer } from '../../platform/http/pages/page.ts';
import type { SiteRequest } from '../serve/request.ts';
import { serveContents } from './contents.ts';
import { serveFile } from './file.ts';
import { serveLlms, serveLlmsFull } from './llms.ts';
import { answerMcpGet } from './mcp/mcp.ts';
import { servePdf } from './pdf.ts';
import { serveRss } from './rss.ts';
import { serveSearch } from './search.ts';
import { serveRobots, serveSitemap } from './sitemap.ts';
import { serveSocialImage } from './social-image.ts';
import { serveDiagram } from './diagram.ts';

type Serve = (request: SiteRequest, rest: string) => Promise<PageAnswer | undefined>;

/** Feeds of every site, by the beginning of the path. The rest of the path is the argument. */
const FEEDS: readonly (readonly [pattern: RegExp, serve: Serve])[] = [
  [/^\/~octavo\/search\/?$/, serveSearch],
  [/^\/~octavo\/file\/(.+)$/, serveFile],
  [/^\/~octavo\/contents\/(.+)$/, serveContents],
  [/^\/~octavo\/diagram$/, serveDiagram],
  [/^\/~octavo\/og\/((?:\w+\/)?\w+)\.png$/, serveSocialImage],
  [/^\/~octavo\/pdf\/(\w+\/\w+)\.pdf$/, servePdf],
  [/^\/~octavo\/mcp$/, async (request) => answerMcpGet(request)],
  [/^\/robots\.txt$/, serveRobots],
  [/^\/sitemap(?:-(\d{1,4}))?\.xml$/, serveSitemap],
  [/^\/llms\.txt$/, serveLlms],
  [/^\/llms-full\.txt$/, serveLlmsFull],
  [/^(.*)\/rss\.xml$/, serveRss],
];

/** Whether every site serves something at a path, or at paths of its form. */
export const hasFeed = (path: string): boolean => FEEDS.some(([pattern]) => pattern.test(path));

/** Whether a path is reserved on every site: no page is looked up there. */
export const servesFeed = (path: string): boolean =>
  (path.startsWith('/~') && !path.startsWith('/~/')) || hasFeed(path);

/** Undefined: there is nothing at the path. */
export async function serveFeed(request: SiteRequest): Promise<PageAnswer | undefined> {
  for (const [pattern, serve] of FEEDS) {
    const match = pattern.exec(request.path);
    if (match) return serve(request, match[1] ?? '');
  }
  return undefined;
}
