/** A website as generators of documentation write it, a ZIP of Markdown, and a site without an end; for imports. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { writeStoredZip } from '../src/platform/zip/index.ts';
import { makePage } from './corpus.ts';

const SITE_PAGES = 500;
const ZIP_PAGES = 200;
const PAGE_BYTES = 10_000;
const LINKS_PER_PAGE = 20;

const title = (n: number): string => makePage(n, 100).title;

const sidebar = Array.from(
  { length: SITE_PAGES },
  (_each, n) =>
    `<li class="menu__list-item"><a class="menu__link" href="/docs/page-${n}">${title(n)} ${n}</a></li>`,
).join('');

function layout(heading: string, content: string, navigation: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="generator" content="Docusaurus v3.5.2">
<title>${heading} | Measured</title></head><body><div id="__docusaurus"><nav class="navbar"><a href="/">Home</a></nav>
<aside><nav class="menu"><ul class="menu__list">${navigation}</ul></nav></aside>
<main><article><div class="theme-doc-markdown markdown"><h1>${heading}</h1>${content}</div></article></main>
<footer>Measured</footer></div></body></html>`;
}

/** The blocks of the corpus as HTML. */
const blockOf = (block: string): string => {
  if (block.startsWith('## ')) return `<h2>${block.slice(3)}</h2>`;
  if (block.startsWith('- ')) {
    return `<ul>${block
      .split('\n')
      .map((item) => `<li>${item.slice(2)}</li>`)
      .join('')}</ul>`;
  }
  if (block.startsWith('```'))
    return `<pre><code class="language-js">${block.split('\n').slice(1, -1).join('\n')}</code></pre>`;
  return `<p>${block.replace(/\[([^[\]]*)\]\(([^)]*)\)/g, '<a href="$2">$1</a>')}</p>`;
};

function docsPage(n: number): string {
  const { markdown } = makePage(n, PAGE_BYTES);
  const next = `<p>Continue with <a href="/docs/page-${(n + 1) % SITE_PAGES}">the next page</a>.</p>`;
  return layout(`${title(n)} ${n}`, markdown.trim().split('\n\n').map(blockOf).join('\n') + next, sidebar);
}

/** Every page links to others that do not exist until they are requested. */
function endlessPage(path: string): string {
  const seed = [...path].reduce((sum, char) => (sum * 31 + char.charCodeAt(0)) % 1_000_003, 7);
  const links = Array.from({ length: LINKS_PER_PAGE }, (_each, i) => {
    const to = `/endless/p${(seed * (i + 3) * 7919) % 10_000_019}`;
    return `<li><a href="${to}">${to}</a></li>`;
  }).join('');
  return layout(`Page ${seed}`, `<p>Text of ${path}.</p><ul>${links}</ul>`, '');
}

const zip = writeStoredZip(
  Array.from({ length: ZIP_PAGES }, (_each, n) => ({
    name: `page-${n}.md`,
    bytes: Buffer.from(`# ${title(n)} ${n}\n\n${makePage(n).markdown}`),
  })),
);

const docs = new Map(Array.from({ length: SITE_PAGES }, (_each, n) => [`/docs/page-${n}`, docsPage(n)]));
docs.set('/docs/', docsPage(0).replace('<h1>', '<h1>Start: '));

const server = createServer(({ url = '/' }, response) => {
  const page = docs.get(url) ?? (url.startsWith('/endless/') ? endlessPage(url) : undefined);
  if (page !== undefined) response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page);
  else if (url === '/pages.zip') response.writeHead(200, { 'content-type': 'application/zip' }).end(zip);
  else response.writeHead(404).end();
});
process.on('disconnect', () => process.exit());
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
