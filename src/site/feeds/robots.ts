import type { PageAnswer } from '../../platform/http/page.ts';
import type { SiteRequest } from '../serve/request.ts';
import { answerText, PLAIN } from './text-answer.ts';

/** Crawlers read it at the root of a host only; at a path it is for people. */
export const serveRobots = (request: SiteRequest): Promise<PageAnswer> =>
  answerText(request, 'robots', PLAIN, async () => {
    const { site, addresses } = request;
    if (site.visibility !== 'public') return 'User-agent: *\nDisallow: /\n';
    const sitemap = addresses.absolute(`${addresses.basePath}/sitemap.xml`);
    return `User-agent: *\nAllow: /\nDisallow: ${addresses.basePath}/~octavo/\nAllow: ${addresses.basePath}/~octavo/assets/\nAllow: ${addresses.basePath}/~octavo/file/\nSitemap: ${sitemap}\n`;
  });
