import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { policyText } from '../../src/platform/api/content-security-policy.ts';
import {
  diagramPolicy,
  pagePolicy,
  renderDiagramFrame,
  renderSearchPage,
  renderSearchResults,
  serveAsset,
  type SiteView,
} from '../../src/site/index.ts';
import { SAMPLE_PICTURE, sampleSearch, sampleSite } from './sample.ts';

export interface SampleServer {
  readonly origin: string;
  /** Ratings that were sent, as form fields. */
  readonly feedback: string[];
  /** Serves a document at a path below `/docs/` from now on. */
  show(name: string, site: SiteView, html: string): string;
  close(): Promise<void>;
}

/** Documents of samples with their policy, the assets, the search and the diagram frame: no database. */
export async function serveSamples(): Promise<SampleServer> {
  const site = sampleSite();
  const documents = new Map<string, { site: SiteView; html: string }>();
  const feedback: string[] = [];
  const server: Server = createServer((request, response) => {
    const origin = `http://${request.headers.host}`;
    const url = new URL(request.url ?? '', origin);
    const send = (html: string, policy: string, status = 200): void => {
      response.writeHead(status, {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': policy,
      });
      response.end(html);
    };
    const policy = policyText(pagePolicy(site, origin));
    if (url.pathname.startsWith('/docs/~octavo/assets/')) {
      const name = url.pathname.slice('/docs/~octavo/assets/'.length);
      const answer = serveAsset(site.assets, name, String(request.headers['accept-encoding']));
      response.writeHead(answer.status, { ...answer.headers, 'content-type': answer.type });
      response.end(answer.body);
      return;
    }
    switch (url.pathname) {
      case '/docs/~octavo/search': {
        const search = { ...sampleSearch, query: url.searchParams.get('q') ?? '' };
        return send(
          url.searchParams.has('fragment')
            ? renderSearchResults(site, search)
            : renderSearchPage(site, search),
          policy,
        );
      }
      case '/docs/~octavo/diagram':
        return send(renderDiagramFrame(site), policyText(diagramPolicy(site, origin)));
      case '/docs/~octavo/feedback':
        request.setEncoding('utf8').on('data', (chunk: string) => feedback.push(chunk));
        request.on('end', () => response.writeHead(303, { location: '/docs/page' }).end());
        return;
    }
    if (url.pathname.endsWith('.svg')) {
      response.writeHead(200, { 'content-type': 'image/svg+xml' });
      response.end(SAMPLE_PICTURE);
      return;
    }
    const known = documents.get(url.pathname);
    if (!known) return send('<!doctype html><title>absent</title>', policy, 404);
    send(known.html, policyText(pagePolicy(known.site, origin)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    feedback,
    show: (name, forSite, html) => {
      documents.set(`/docs/${name}`, { site: forSite, html });
      return `${origin}/docs/${name}`;
    },
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
