import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { docx } from '../../../test/docx.ts';
import { partOf } from '../../../test/exhaustive.ts';
import { RECORDS } from '../../../test/hostile-names.ts';
import { HOSTILE_LOCATIONS, HOSTILE_URLS } from '../../../test/hostile-urls.ts';
import { performImports } from '../../../test/import-runs.ts';
import { replaceOutbound, startImporting, zipOf, type Importing } from '../../../test/importing.ts';
import { aPage, redirectTo, respond, type Handler } from '../../../test/site.ts';
import { dialTcp } from '../../platform/outbound/connect.ts';

/** Where redirects of the site lead to. */
let location = '';
const redirect: Handler = (request, response) => redirectTo(location)(request, response);
/** Robots.txt redirects, or does not exist. */
let isRobotsHostile = false;
const robots: Handler = (request, response) =>
  isRobotsHostile ? redirect(request, response) : void response.writeHead(404).end();

let connections = 0;
const canary = createServer((_request, response) => response.end('reached'));
canary.on('connection', () => connections++);
let port: number;
const written = (url: string): string => url.replaceAll('PORT', String(port));

let importing: Importing;
let space: string;
let dialled: string[];
let base: string;

/** Texts that refer to every URL of the corpus. */
const texts = () => {
  const urls = HOSTILE_URLS.map((url) => written(url).replaceAll('\0', ''));
  const tags = urls.map((url) => `<p><a href="${url}">a</a><img src="${url}"></p>`).join('');
  const redirects = HOSTILE_LOCATIONS.map(
    (_, index) => `<img src="/r${index}.png"><a href="/r${index}">a</a>`,
  );
  return {
    page: aPage('Page', tags + redirects.join('')),
    markdown: `# Page\n\n${urls
      .map((url) => `![](<${url.replaceAll(/[<>\n]/g, '')}>) [a](<${url.replaceAll(/[<>\n]/g, '')}>)`)
      .join('\n\n')}\n`,
    document: docx(
      `<w:p>${urls.map((_, index) => `<w:r><w:drawing><a:blip xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" r:link="rId${index}"/></w:drawing></w:r>`).join('')}<w:r><w:t>Text</w:t></w:r></w:p>`,
      {
        'word/_rels/document.xml.rels': `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${urls
          .filter((url) => !/[<>&"]/.test(url))
          .map(
            (url, index) =>
              `<Relationship Id="rId${index}" TargetMode="External" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/image" Target="${url}"/>`,
          )
          .join('')}</Relationships>`,
      },
    ),
  };
};

beforeAll(async () => {
  await new Promise<void>((resolve) => canary.listen(0, '::', resolve));
  port = (canary.address() as AddressInfo).port;
  const { page, markdown, document } = texts();
  importing = await startImporting(
    {
      '/robots.txt': robots,
      '/page': page,
      '/page.md': respond(200, { 'content-type': 'text/markdown' }, markdown),
      '/page.docx': respond(200, {}, document),
      '/html.zip': zipOf({ 'index.html': page, 'b.html': page }),
      '/markdown.zip': zipOf({ 'README.md': markdown }),
      '/document.zip': zipOf({ 'a.docx': document, 'b.md': markdown }),
    },
    { environment: { OCTAVO_IMPORT_PAGES: '1000' } },
    (request, response) => {
      const [, index] = /^\/r(\d+)(?:\.png)?$/.exec(request.url ?? '') ?? [];
      const to = HOSTILE_LOCATIONS[Number(index)];
      if (to === undefined) response.writeHead(404).end();
      else redirectTo(written(to))(request, response);
    },
  );
  const { site } = importing;
  base = `http://site.example:${site.port}`;
  replaceOutbound(importing.app, {
    // The port is opened for another host, so that it is never the port that protects the canary.
    allow: [`elsewhere.example:${port}`, `site.example:${site.port}`],
    ownAddresses: [],
    resolve: (hostname) =>
      Promise.resolve(hostname === 'site.example' ? ['127.0.0.1'] : (RECORDS[hostname] ?? [])),
    dial: (address, to) => {
      dialled.push(`${address} ${to}`);
      return dialTcp(address, to);
    },
  });
  space = await importing.contents.aSpace();
});
afterAll(() => canary.close());
beforeEach(() => {
  dialled = [];
  isRobotsHostile = false;
});

/** Nothing but the site was connected to. */
function expectNoOther(): void {
  expect(dialled.filter((each) => each !== `127.0.0.1 ${importing.site.port}`)).toEqual([]);
  expect(connections).toBe(0);
}

async function expectRefused(source: string, url: string): Promise<void> {
  const answer = await importing.importInto(`${space}/content`, source, url);
  expect([source, url, answer.status]).toEqual([source, url, expect.toSatisfy(isRefusal)]);
}

/** A few at a time: a request only waits for its own answers. An organization has at most ten unfinished runs. */
const inChunks = <T>(items: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(items.length / 8) }, (_each, n) => items.slice(n * 8, n * 8 + 8));

async function expectAllRefused(source: string, urls: readonly string[]): Promise<void> {
  for (const chunk of inChunks(urls)) await Promise.all(chunk.map((url) => expectRefused(source, url)));
}

const isRefusal = (status: number): boolean => status === 400 || status === 422;

/** With a place: each source is given a third of the URLs, so that three consecutive ones are given all. */
const SOURCES = [
  'website',
  'docx',
  'markdown',
  'html',
  'zip',
  'confluence',
  'github-wiki',
  'notion',
  'google-docs',
].map((source, place) => [source, place] as const);
const locationsAt = (parts: number, place: number): readonly string[] =>
  partOf([...HOSTILE_LOCATIONS.keys()], parts, place).map((index) => `${base}/r${index}`);

describe('hostile URLs', () => {
  test('are at least 150', () => {
    expect(HOSTILE_URLS.length).toBeGreaterThanOrEqual(150);
    expect(HOSTILE_LOCATIONS.length).toBeGreaterThanOrEqual(150);
  });

  test.each(SOURCES)('are refused as the URL of the source %s', async (source, place) => {
    const before = await importing.revisionOf(space);
    await expectAllRefused(source, partOf(HOSTILE_URLS, 3, place).map(written));
    expect(dialled).toEqual([]);
    expectNoOther();
    expect(await importing.revisionOf(space)).toBe(before);
  });

  test.each(SOURCES)('are not followed from the URL of the source %s', async (source, place) => {
    const redirects = locationsAt(3, place);
    await expectAllRefused(source, redirects);
    expect(dialled.length).toBeGreaterThanOrEqual(redirects.length);
    expectNoOther();
  });

  test('are not followed from robots.txt', async () => {
    isRobotsHostile = true;
    for (const url of partOf(HOSTILE_LOCATIONS, 3, 0)) {
      location = written(url);
      await expectRefused('website', `${base}/page`);
    }
    expectNoOther();
  });

  test.each([
    ['website', '/page'],
    ['html', '/page'],
    ['google-docs', '/page'],
    ['notion', '/page'],
    ['github-wiki', '/page'],
    ['markdown', '/page.md'],
    ['docx', '/page.docx'],
    ['zip', '/html.zip'],
    ['zip', '/markdown.zip'],
    ['zip', '/document.zip'],
    ['notion', '/markdown.zip'],
    ['github-wiki', '/markdown.zip'],
    ['google-docs', '/html.zip'],
  ])('are not requested as images and links, nor as targets of those: %s of %s', async (source, path) => {
    const target = await importing.contents.aSpace();
    const answer = await importing.importInto(`${target}/content`, source, base + path);
    expect(answer.status, answer.text).toBe(201);
    expectNoOther();
    // Images are requested, so that their redirects are tested.
    if (path === '/page') expect(importing.site.requests).toContain('/r0.png');
    // Files of archives are in the archive.
    if (path.endsWith('.zip')) expect(dialled).toHaveLength(1);
  });

  test.each([
    ['website', 0],
    ['zip', 1],
  ])('are not requested in the background: %s', async (source, place) => {
    const { app, contents, side } = importing;
    const runs = `/v1/org/${side.organizationId}/imports`;
    const start = (url: string) =>
      contents.call('POST', runs, {
        source: source === 'website' ? { type: source, url } : { type: 'url', url, source },
        target: { space: space.split('/').at(-1) },
      });
    /** Runs each of them that is not refused; returns how many failed. */
    const failing = async (urls: readonly string[]): Promise<number> => {
      const answers = await Promise.all(urls.map(start));
      expect(answers.map(({ status }) => status)).toEqual(urls.map(() => expect.toBeOneOf([201, 400])));
      const accepted = answers.filter(({ status }) => status === 201);
      for (let run = 0; run < accepted.length; run++) await performImports(app);
      for (const { body } of accepted)
        expect(await contents.get(`${runs}/${body.id}`)).toMatchObject({ status: 'failed' });
      return accepted.length;
    };
    let performed = 0;
    const tried = partOf(HOSTILE_URLS, 2, place);
    for (const urls of inChunks(tried)) performed += await failing(urls.map(written));
    expect(performed).toBeGreaterThan(0.5 * tried.length);
    expect(dialled).toEqual([]);
    const redirects = locationsAt(2, place);
    let redirected = 0;
    for (const urls of inChunks(redirects)) redirected += await failing(urls);
    expect(redirected).toBe(redirects.length);
    expect(dialled.length).toBeGreaterThanOrEqual(redirects.length);
    expectNoOther();
  });

  test('in uploaded files are not requested', async () => {
    const { app, contents, side } = importing;
    const target = await contents.aSpace();
    const bytes = Buffer.from(texts().page);
    const upload = await contents.call('POST', `/v1/orgs/${side.organizationId}/storage/upload`, {
      file: { name: 'page.html', type: 'text/html', size: bytes.length },
      kind: 'import_file',
    });
    const { pathname } = new URL(upload.body.url);
    await app.app.server.inject({ method: 'PUT', url: pathname, payload: bytes });
    const runs = `/v1/org/${side.organizationId}/imports`;
    const { body } = await contents.call('POST', runs, {
      source: { type: 'file', files: [upload.body.key] },
      target: { space: target.split('/').at(-1) },
    });
    await performImports(app);
    expect(await contents.get(`${runs}/${body.id}`)).toMatchObject({ status: 'completed' });
    expect(dialled).toEqual([]);
    expectNoOther();
  });
});
