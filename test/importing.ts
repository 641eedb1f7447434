import { expect } from 'vitest';
import { createOutbound, type OutboundOptions } from '../src/platform/outbound/index.ts';
import { writeStoredZip } from '../src/platform/zip/index.ts';
import { startApp, type Answer, type AppOptions, type TestApp } from './app.ts';
import { contentsOf, idsOf, insert, type Contents } from './content.ts';
import { respond, serveSite, type Handler, type ServedSite, type Site } from './site.ts';
import { aSide, type Side } from './world.ts';

/** The smallest PNG. */
export const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** Serves a ZIP of these files. */
export const zipOf = (contents: Readonly<Record<string, string | Uint8Array>>): Handler =>
  respond(
    200,
    { 'content-type': 'application/zip' },
    writeStoredZip(
      Object.entries(contents).map(([name, content]) => ({ name, bytes: Buffer.from(content as string) })),
    ),
  );

/** Replaces the client for requests to other servers, such as by one with its own name resolution. */
export function replaceOutbound({ app }: TestApp, options: OutboundOptions): void {
  Object.assign(app.context, { outbound: createOutbound(options) });
}

/** An app that may import from a website on this machine, and an organization in it. */
export interface Importing {
  readonly app: TestApp;
  readonly side: Side;
  readonly contents: Contents;
  readonly site: ServedSite;
  /** Imports a path of the site, or another URL, into a place such as `/v1/spaces/{id}/content`. */
  importInto(place: string, source: string, from: string): Promise<Answer>;
  /** The path of a new change request. */
  aRequest(space: string): Promise<string>;
  revisionOf(place: string): Promise<string>;
  /** Titles of the pages, indented by their depth. */
  outlineOf(place: string): Promise<string[]>;
}

export async function startImporting(
  site: Site,
  options: AppOptions = {},
  other?: Handler,
): Promise<Importing> {
  const served = await serveSite(site, other);
  const app = await startApp({
    ...options,
    environment: { OCTAVO_OUTBOUND_ALLOW: `127.0.0.1:${served.port}`, ...options.environment },
  });
  const side = await aSide(app, 'alpha');
  const contents = contentsOf(app, side);
  return {
    app,
    side,
    contents,
    site: served,
    importInto: (place, source, from) =>
      contents.call('POST', `${place}/import`, {
        url: from.startsWith('/') ? served.url + from : from,
        source,
      }),
    async aRequest(space) {
      const { body } = await contents.call('POST', `${space}/change-requests`, { subject: 'Import' });
      return `${space}/change-requests/${body.id}`;
    },
    revisionOf: async (place) => (await contents.get(`${place}/content`)).id,
    outlineOf: async (place) => titlesOf((await contents.get(`${place}/content/pages`)).pages),
  };
}

const titlesOf = (pages: readonly Answer['body'][], indent = ''): string[] =>
  pages.flatMap((page) => [indent + page.title, ...titlesOf(page.pages ?? [], `${indent}  `)]);

/** What a source contains. */
export interface ExpectedImport {
  readonly source: string;
  /** The path on the site. */
  readonly path: string;
  readonly imported: number;
  /** What is skipped, with the reason. */
  readonly skipped?: readonly { readonly source: string; readonly reason: string }[];
  readonly outline: readonly string[];
}

/** Imports into a space: one revision, whose pages are returned by the path of the space. */
export async function expectImportIntoSpace(importing: Importing, expected: ExpectedImport): Promise<string> {
  const { contents, importInto, revisionOf, outlineOf } = importing;
  const space = await contents.aSpace();
  const before = await revisionOf(space);
  const answer = await importInto(`${space}/content`, expected.source, expected.path);
  expectImported(answer, space, expected);
  expect(await revisionOf(space)).toBe(answer.body.revision);
  expect(await contents.get(`${space}/revisions/${answer.body.revision}`)).toMatchObject({
    parents: [before],
  });
  expect(await outlineOf(space)).toEqual(expected.outline);
  return space;
}

/** The same below a page, in a change request, and below a page of a change request. */
export async function expectImportElsewhere(importing: Importing, expected: ExpectedImport): Promise<void> {
  const { contents, importInto, revisionOf, outlineOf, aRequest } = importing;
  const below = expected.outline.map((title) => `  ${title}`);
  const space = await contents.aSpace();
  const [parent] = idsOf(await contents.edit(space, insert('Parent')));
  const inPage = await importInto(`${space}/content/page/${parent}`, expected.source, expected.path);
  expectImported(inPage, space, expected);
  expect(await outlineOf(space)).toEqual(['Parent', ...below]);

  const published = await revisionOf(space);
  const request = await aRequest(space);
  const inRequest = await importInto(`${request}/content`, expected.source, expected.path);
  expectImported(inRequest, space, expected);
  expect(await outlineOf(request)).toEqual(['Parent', ...below, ...expected.outline]);

  const other = await aRequest(space);
  const inPageOfRequest = await importInto(`${other}/content/page/${parent}`, expected.source, expected.path);
  expectImported(inPageOfRequest, space, expected);
  expect(await outlineOf(other)).toEqual(['Parent', ...below, ...below]);
  expect(await revisionOf(other)).toBe(inPageOfRequest.body.revision);
  expect(await revisionOf(space)).toBe(published);
}

function expectImported(answer: Answer, space: string, { imported, skipped = [] }: ExpectedImport): void {
  expect(answer.status, answer.text).toBe(201);
  const { revision } = answer.body;
  expect(answer.body).toEqual({
    revision,
    importedResources: imported,
    totalResources: imported + skipped.length,
    skipped: expect.arrayContaining([...skipped]),
  });
  expect(answer.body.skipped).toHaveLength(skipped.length);
  expect(answer.headers['location']).toBe(`http://octavo.test${space}/revisions/${revision}`);
}
