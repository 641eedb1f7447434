import type { ContentSecurityPolicy } from '../../platform/api/content-security-policy.ts';
import type { SiteView } from '../model.ts';
import { assetHref } from './document/head.ts';
import { markup, rendered, SCRIPT_END } from './markup.ts';

/** The document at `<basePath>/~octavo/diagram`, which `client/diagrams.ts` loads in a frame without an origin. */
export const renderDiagramFrame = (site: SiteView): string =>
  markup`
    <!doctype html>
    <html lang="${site.language}">
      <head>
        <meta charset="utf-8">
        <title>Diagram</title>
        <meta name="robots" content="noindex">
        <style>${rendered(STYLE)}</style>
        <script src="${assetHref(site, 'mermaid.js')}">${SCRIPT_END}
        <script src="${assetHref(site, 'diagram.js')}">${SCRIPT_END}
      </head>
      <body></body>
    </html>`.text;

const STYLE =
  'html,body{height:100%;margin:0;background:transparent}body{display:grid;place-items:center;overflow:auto}' +
  'svg{max-width:100%;max-height:100%;width:100%;height:100%}';

/** The library writes style elements. Here they can do no harm: there is nothing else in the frame, and no request. */
export const diagramPolicy = (site: SiteView, origin: string): ContentSecurityPolicy => ({
  'default-src': ["'none'"],
  'script-src': [`${origin}${site.basePath}/~octavo/assets/`],
  'style-src': ["'unsafe-inline'"],
  'frame-ancestors': [origin],
  sandbox: ['allow-scripts'],
});
