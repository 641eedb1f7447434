/** Sources of imports that are as large as they may be, or larger. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { writeStoredZip } from '../src/platform/zip/index.ts';
import { docx, paragraph } from '../test/docx.ts';
import { craftZip } from '../test/zip.ts';

const MB = 2 ** 20;
const PNG = Buffer.from('89504e470d0a1a0a', 'hex');
const IMAGES = 40;

const picture = (n: number): Buffer => Buffer.concat([PNG, Buffer.alloc(19 * MB, n)]);

/** Text that is compressed less than 1000:1, which would be refused at once. */
const text = (bytes: number): string => {
  let lines = '';
  for (let n = 0; lines.length < 100_000; n++) lines += `Line ${n} of the text, ${n * 7919}.\n\n`;
  return lines.repeat(Math.ceil(bytes / lines.length)).slice(0, bytes);
};

const html = (title: string, content: string): string =>
  `<!doctype html><html><head><title>${title}</title></head><body><main><h1>${title}</h1>${content}</main></body></html>`;

/** As fast as it is read. */
function sendRepeatedly(response: ServerResponse, chunk: Buffer, times: number): void {
  let sent = 0;
  const more = () => {
    while (sent < times) {
      sent++;
      if (!response.write(chunk)) return;
    }
    response.end();
  };
  response.on('drain', more);
  more();
}

const sources: Readonly<Record<string, (response: ServerResponse) => void>> = {
  '/page-of-200-mb': (response) => {
    response.setHeader('content-type', 'text/html');
    sendRepeatedly(response, Buffer.alloc(MB, '<p>text</p>'), 200);
  },
  // 1 GB, as members of 10 MB.
  '/gzip-bomb': (response) => {
    response.setHeader('content-type', 'text/html');
    response.setHeader('content-encoding', 'gzip');
    sendRepeatedly(response, gzipSync(Buffer.alloc(10 * MB)), 100);
  },
  // 240 MB of pages, each as large as a page may be.
  '/bomb.zip': (response) => {
    const content = `# Page\n\n${text(4 * MB - 100)}`;
    const page = { content, deflate: true };
    response.end(craftZip(Array.from({ length: 60 }, (_each, n) => ({ ...page, name: `page-${n}.md` }))));
  },
  // 100 MB: files of 19 MB, and pages that show them.
  '/large.zip': (response) => {
    const files = Array.from({ length: 5 }, (_each, n) => [
      { name: `picture-${n}.png`, bytes: picture(n) },
      { name: `page-${n}.md`, bytes: Buffer.from(`# Page ${n}\n\n![](picture-${n}.png)\n\n${text(MB / 2)}`) },
    ]);
    response.end(writeStoredZip(files.flat()));
  },
  // Just within the limit of XML: more text than a page may have.
  '/text.docx': (response) => {
    const line = paragraph('Words of the document. '.repeat(27));
    response.end(docx(line.repeat(Math.floor((15 * MB) / line.length))));
  },
  // Just within the limits of elements and of text.
  '/elements.docx': (response) => response.end(docx(paragraph('Words of the document.').repeat(49_000))),
  // XML that is refused when it is measured.
  '/large.docx': (response) => {
    const content = Buffer.alloc(300 * MB, '<a>b</a>');
    response.end(
      craftZip([
        { name: '[Content_Types].xml', content: '<a/>' },
        { name: 'word/document.xml', content: content.subarray(0, 300 * MB), deflate: true },
      ]),
    );
  },
  '/pictures/': (response) => {
    const images = Array.from({ length: IMAGES }, (_each, n) => `<p><img src="${n}.png"></p>`).join('');
    response.setHeader('content-type', 'text/html');
    response.end(html('Pictures', images));
  },
  // 4 MB, with as many nodes as a page may have.
  '/elements': (response) => {
    response.setHeader('content-type', 'text/html');
    response.end(html('Elements', '<p>Words of <b>the</b> page.</p>'.repeat(28_000)));
  },
  // Pages that are each as large as they may be.
  '/large-pages/': (response) => {
    const links = Array.from({ length: 100 }, (_each, n) => `<a href="${n}">${n}</a>`).join(' ');
    response.setHeader('content-type', 'text/html');
    response.end(html('Large', links));
  },
};

const server = createServer(({ url = '/' }, response) => {
  const [, image] = /^\/pictures\/(\d+)\.png$/.exec(url) ?? [];
  const [, large] = /^\/large-pages\/(\d+)$/.exec(url) ?? [];
  const send = sources[url];
  if (send) send(response);
  else if (image !== undefined) response.end(picture(Number(image)));
  else if (large !== undefined) {
    response.setHeader('content-type', 'text/html');
    response.end(html(`Page ${large}`, `<p>${text(1.9 * MB).replaceAll('\n\n', '</p><p>')}</p>`));
  } else response.writeHead(404).end();
});
process.on('disconnect', () => process.exit());
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
