import { beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../../test/app.ts';
import { expectError } from '../../../test/refusal.ts';
import { jobContext } from '../../../test/import-runs.ts';
import { notFound, respond, serveSite, type Handler, type ServedSite } from '../../../test/site.ts';
import { aSpec, readAllSpecs, SPECIFICATION } from '../../../test/specs.ts';
import { aWorld, type World } from '../../../test/world.ts';

import { findSpecBySlug, listParts, readSpecParts } from './index.ts';

let app: TestApp;
let world: World;
let specs: string;
let site: ServedSite;
/** What the site answers, by path. */
const served: Record<string, Handler> = {};

beforeAll(async () => {
  site = await serveSite({}, (request, response) =>
    (served[request.url ?? ''] ?? notFound)(request, response),
  );
  app = await startApp({ environment: { OCTAVO_OUTBOUND_ALLOW: `127.0.0.1:${site.port}` } });
  world = await aWorld(app);
  specs = `/v1/orgs/${world.a.organizationId}/openapi`;
});

const call = (method: string, path: string, body?: unknown) =>
  app.call(method, path, { token: world.a.admin.token, body });
async function get(path: string) {
  const answer = await call('GET', path);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}
async function read(source: object): Promise<string> {
  const slug = await aSpec(app, world.a, source);
  await readAllSpecs(app);
  return slug;
}
const text = (specification: object): object => ({ text: JSON.stringify(specification) });

describe('a specification', () => {
  test('is pending until it has been read, and has a version then', async () => {
    const slug = await aSpec(app, world.a, text(SPECIFICATION));
    const pending = await get(`${specs}/${slug}`);
    expect(pending).toMatchObject({
      processingState: 'pending',
      visibility: 'private',
      permissions: { view: true, edit: true },
    });
    expect(pending).not.toHaveProperty('lastVersion');
    expectError(await call('GET', `${specs}/${slug}/versions/latest`), 404, /has not been read yet/);
    await readAllSpecs(app);
    const complete = await get(`${specs}/${slug}`);
    expect(complete).toMatchObject({ processingState: 'complete', lastVersion: expect.any(String) });
    const latest = await get(`${specs}/${slug}/versions/latest`);
    expect(latest.id).toBe(complete.lastVersion);
    expect(await get(`${specs}/${slug}/versions/${latest.id}`)).toEqual(latest);
    const content = await get(`${specs}/${slug}/versions/latest/content`);
    expect(content.filesystem).toMatchObject([{ isEntrypoint: true, specification: SPECIFICATION }]);
    const path = new URL(content.url).pathname;
    expect((await app.call('GET', path)).body).toEqual(SPECIFICATION);
    expect((await call('GET', path.replace(/\/[\w-]{32}\//, `/${'0'.repeat(32)}/`))).status).toBe(404);
  });
});

/** Parts of a specification, as a page reads them. */
const readPart = async (slug: string, kind: 'operation' | 'schema', name: string) =>
  (await readSpecParts(jobContext(app).db, world.a.organizationId, [{ spec: { slug }, kind, name }]))[0];

describe('the parts of a specification', () => {
  test('are those of its latest version', async () => {
    const slug = await read(text(SPECIFICATION));
    const spec = await findSpecBySlug(jobContext(app).db, world.a.organizationId, slug);
    expect(await listParts(jobContext(app).db, spec?.id ?? '')).toMatchObject([
      { kind: 'info', name: '', title: 'Pets' },
      { kind: 'operation', name: 'get /pets/{id}', operation_id: 'getPet', title: 'Get a pet' },
      { kind: 'schema', name: 'Pet' },
    ]);
    const part = await readPart(slug, 'operation', 'get /pets/{id}');
    expect(part).toMatchObject({ slug, view: { method: 'GET', responses: [{ status: '200' }] } });
    await call('PUT', `${specs}/${slug}`, { source: text({ ...SPECIFICATION, paths: {} }) });
    await readAllSpecs(app);
    expect(await readPart(slug, 'operation', 'get /pets/{id}')).toEqual({ slug, view: undefined, size: 0 });
    expect(await readPart(slug, 'schema', 'Pet')).toMatchObject({ view: { name: 'Pet' } });
    await call('DELETE', `${specs}/${slug}`);
    expect(await readPart(slug, 'schema', 'Pet')).toBeUndefined();
  });
});

/** The document of the latest version. */
const documentOf = async (slug: string) =>
  (await get(`${specs}/${slug}/versions/latest/content`)).filesystem[0].specification;
const versionsOf = async (slug: string): Promise<number> => (await get(`${specs}/${slug}/versions`)).count;
const makeDue = () => app.sql('update openapi_specs set next_read_at = now() where next_read_at is not null');
const json = (body: object, headers = {}): Handler => respond(200, headers, JSON.stringify(body));

describe('a source', () => {
  test.each([
    ['2.0', 'swagger: "2.0"\ninfo: {title: Pets, version: "1"}\npaths: {}\n'],
    [
      '3.0',
      'openapi: 3.0.4\ninfo:\n  title: Pets\n  version: 1.0.0\npaths:\n  /pets:\n    get: {responses: {default: {description: x}}}\n',
    ],
    ['3.1', '{"openapi": "3.1.1", "info": {"title": "Pets", "version": "1"}, "webhooks": {}}'],
    ['3.2', '\uFEFFopenapi: 3.2.0\ninfo: {title: Pets, version: "1"}\n'],
  ])('may have version %s', async (version, source) => {
    const slug = await read({ text: source });
    expect(await get(`${specs}/${slug}`)).not.toHaveProperty('lastProcessErrorCode');
    const { openapi, swagger, info } = await documentOf(slug);
    expect(String(openapi ?? swagger)).toMatch(version);
    expect(info.title).toBe('Pets');
  });

  test('may consist of files that refer to each other, in circles; references are not replaced', async () => {
    served['/api/openapi.yaml'] = respond(
      200,
      {},
      `openapi: 3.1.0
info: {title: Pets, version: "1"}
paths:
  /pets: {$ref: "paths/pets.yaml"}
  /example:
    get:
      responses:
        default: {$ref: "common.json#/responses/default"}
        "200":
          description: data
          content: {application/json: {examples: {one: {value: {$ref: "not a reference"}}}}}
`,
    );
    served['/api/paths/pets.yaml'] = respond(
      200,
      {},
      'get: {responses: {"200": {description: x, content: {a/b: {schema: {$ref: "../common.json#/schemas/Pet"}}}}}}',
    );
    served['/api/common.json'] = json({
      schemas: {
        Pet: { properties: { parent: { $ref: '#/schemas/Pet' }, self: { $ref: 'openapi.yaml#/info' } } },
      },
      responses: { default: { description: 'Error' } },
    });
    const slug = await read({ url: `${site.url}/api/openapi.yaml` });
    expect(await get(`${specs}/${slug}`)).not.toHaveProperty('lastProcessedErrors');
    const document = await documentOf(slug);
    const pets = document.paths['/pets'].$ref.split('/').at(-1);
    expect(document['x-ext'][pets].get.responses['200'].content['a/b'].schema.$ref).toMatch(
      /^#\/x-ext\/\d\/schemas\/Pet$/,
    );
    const common = document['x-ext'][pets === '1' ? '2' : '1'];
    expect(common.schemas.Pet.properties.self.$ref).toBe('#/info');
    expect(common.schemas.Pet.properties.parent.$ref).toMatch(/^#\/x-ext\/\d\/schemas\/Pet$/);
  });

  test('that has not changed is not sent again, and makes no version', async () => {
    const conditions: unknown[] = [];
    served['/etag.json'] = (request, response) => {
      conditions.push(request.headers['if-none-match']);
      const isKnown = request.headers['if-none-match'] === '"1"';
      (isKnown ? respond(304) : json(SPECIFICATION, { etag: '"1"' }))(request, response);
    };
    const slug = await read({ url: `${site.url}/etag.json` });
    await makeDue();
    await readAllSpecs(app);
    expect(conditions).toEqual([undefined, '"1"']);
    expect(await versionsOf(slug)).toBe(1);
    served['/etag.json'] = json({ ...SPECIFICATION, info: { title: 'Changed', version: '2' } });
    await makeDue();
    await readAllSpecs(app);
    expect(await versionsOf(slug)).toBe(2);
    expect((await documentOf(slug)).info.title).toBe('Changed');
  });

  test('is read again in six hours, and after a failure in a quarter of an hour, then later and later', async () => {
    const minutes = async (slug: string) => {
      const rows = await app.sql(
        'select extract(epoch from next_read_at - now()) / 60 as minutes from openapi_specs where slug = $1',
        [slug],
      );
      return Number(rows[0]?.['minutes']);
    };
    served['/flaky.json'] = json(SPECIFICATION);
    const slug = await read({ url: `${site.url}/flaky.json` });
    expect(Math.abs((await minutes(slug)) - 360)).toBeLessThan(40);
    served['/flaky.json'] = respond(503);
    const delays: number[] = [];
    for (let failure = 0; failure < 5; failure++) {
      await makeDue();
      await readAllSpecs(app);
      delays.push(Math.round(await minutes(slug)));
    }
    expect(delays).toEqual([15, 60, 240, 960, 1440]);
    expect(await get(`${specs}/${slug}`)).toMatchObject({
      processingState: 'complete',
      lastProcessErrorCode: 'FETCH_ERROR',
      lastProcessedErrors: [{ message: expect.stringMatching(/answered 503/) }],
    });
    // The last version stays.
    expect((await documentOf(slug)).info.title).toBe('Pets');
  });

  test.each<[string, object | (() => object), string, RegExp]>([
    ['HTML', { text: '<!doctype html><p>No' }, 'PARSE_ERROR', /a page in HTML/],
    ['an unfinished object', { text: '{"openapi": "3.1.0",\n"info": ' }, 'PARSE_ERROR', /not valid JSON/],
    ['wrong YAML', { text: 'openapi: 3.1.0\ninfo:\n  title: [a\nb: c' }, 'PARSE_ERROR', /line \d+: /],
    ['another format', { text: 'name: octavo' }, 'PARSE_ERROR', /neither a field "openapi" nor "swagger"/],
    ['an unknown version', { text: 'openapi: 4.0.0' }, 'PARSE_ERROR', /3\.2 are supported/],
    [
      'paths that are a list',
      { text: 'openapi: 3.1.0\npaths: []' },
      'PARSE_ERROR',
      /^#\/paths is not an object/,
    ],
    ['an alias bomb', { text: aliasBomb() }, 'PARSE_ERROR', /alias/],
    ['a deep object', { text: `openapi: 3.1.0\nx: ${'['.repeat(50_000)}` }, 'PARSE_ERROR', /nested too deep/],
    [
      'another file of a text',
      { text: 'openapi: 3.1.0\npaths: {/a: {$ref: "a.yaml"}}' },
      'FETCH_ERROR',
      /^#\/paths\/~1a refers to "a.yaml"/,
    ],
    [
      'a file of this machine',
      { text: 'openapi: 3.1.0\npaths: {/a: {$ref: "file:///etc/passwd"}}' },
      'FETCH_ERROR',
      /^#\/paths\/~1a refers to file:/,
    ],
    [
      'a private address',
      { text: 'openapi: 3.1.0\npaths: {/a: {$ref: "http://169.254.169.254/x"}}' },
      'FETCH_ERROR',
      /not a public address/,
    ],
    [
      'a private URL',
      { url: 'http://127.0.0.1:1/openapi.json' },
      'FETCH_ERROR',
      /not allowed|not a public address/,
    ],
    ['a missing page', () => ({ url: `${site.url}/missing.json` }), 'FETCH_ERROR', /answered 404/],
    [
      'a redirect to a private address',
      () => ({ url: `${site.url}/away` }),
      'FETCH_ERROR',
      /not a public address/,
    ],
    ['a large file', () => ({ url: `${site.url}/large` }), 'FETCH_ERROR', /exceeds 20 MB/],
  ])('of %s is refused with a reason', async (_name, source, code, message) => {
    served['/away'] = respond(302, { location: 'http://192.168.1.1/openapi.json' });
    served['/large'] = respond(200, {}, Buffer.alloc(21 * 1024 * 1024, 'a'));
    const slug = await read(typeof source === 'function' ? source() : source);
    expect(await get(`${specs}/${slug}`)).toMatchObject({
      processingState: 'complete',
      lastProcessErrorCode: code,
      lastProcessedErrors: [{ code, message: expect.stringMatching(message) }],
    });
    expect(await versionsOf(slug)).toBe(0);
  });

  test('with references that lead nowhere is read, and says where', async () => {
    const paths = { '/a': { get: { responses: { 200: { $ref: '#/components/responses/None' } } } } };
    const slug = await read(text({ ...SPECIFICATION, paths }));
    expect(await versionsOf(slug)).toBe(1);
    expect((await get(`${specs}/${slug}`)).lastProcessedErrors).toEqual([
      {
        message: '#/paths/~1a/get/responses/200 refers to #/components/responses/None, which does not exist.',
      },
    ]);
  });
});

/** Nine levels of nine aliases. */
function aliasBomb(): string {
  const levels = Array.from({ length: 9 }, (_each, at) =>
    at === 0
      ? 'a0: &a0 [x]'
      : `a${at}: &a${at} [${Array(9)
          .fill(`*a${at - 1}`)
          .join(', ')}]`,
  );
  return `openapi: 3.1.0\n${levels.join('\n')}\n`;
}

describe('a specification that is replaced', () => {
  test('keeps its versions and its visibility; while it is read, the later source counts', async () => {
    const slug = await read(text(SPECIFICATION));
    await call('PATCH', `${specs}/${slug}`, { visibility: 'public' });
    served['/slow.json'] = (request, response) =>
      void call('PUT', `${specs}/${slug}`, {
        source: text({ ...SPECIFICATION, info: { title: 'Later', version: '3' } }),
      }).then(() => json({ ...SPECIFICATION, info: { title: 'Earlier', version: '2' } })(request, response));
    expect((await call('PUT', `${specs}/${slug}`, { source: { url: `${site.url}/slow.json` } })).status).toBe(
      200,
    );
    await readAllSpecs(app);
    expect((await documentOf(slug)).info.title).toBe('Later');
    const spec = await get(`${specs}/${slug}`);
    expect(spec).toMatchObject({ processingState: 'complete', visibility: 'public' });
    expect(spec).not.toHaveProperty('sourceURL');
    expect(await versionsOf(slug)).toBe(2);
  });

  test('is added if it does not exist; a slug is unique in its organization', async () => {
    const slug = await aSpec(app, world.a);
    expectError(await call('POST', specs, { slug, source: text(SPECIFICATION) }), 409, /already/);
    const other = `/v1/orgs/${world.b.organizationId}/openapi/${slug}`;
    const put = await app.call('PUT', other, {
      token: world.b.admin.token,
      body: { source: text(SPECIFICATION) },
    });
    expect(put.status).toBe(200);
    expect(put.body.id).not.toBe((await get(`${specs}/${slug}`)).id);
  });

  test.each(['Upper', 'a--b', '-a', 'a_b', 'a'.repeat(101), '%C3%A4'])(
    'is refused at the slug %s',
    async (slug) => {
      expectError(await call('PUT', `${specs}/${slug}`, { source: text(SPECIFICATION) }), 400);
    },
  );

  test('is refused with a password in its URL, which its members would read', async () => {
    const source = { url: 'https://user:secret@example.org/openapi.yaml' };
    const path = `${specs}/with-password`;
    expectError(await call('PUT', path, { source }), 400, /user name or password/);
    expectError(await call('GET', path), 404);
  });

  test('may have the name of a route, or the id of a version', async () => {
    const slug = await read(text(SPECIFICATION));
    const { lastVersion } = await get(`${specs}/${slug}`);
    for (const name of ['latest', 'versions', 'content', lastVersion.toLowerCase()]) {
      expect((await call('PUT', `${specs}/${name}`, { source: text(SPECIFICATION) })).status).toBe(200);
      await readAllSpecs(app);
      expect((await get(`${specs}/${name}`)).slug).toBe(name);
      expect((await get(`${specs}/${name}/versions/latest`)).object).toBe('openapi-spec-version');
      expectError(await call('GET', `${specs}/${name}/versions/${lastVersion}`), 404);
    }
  });
});

describe('the download of a specification', () => {
  test('needs no token while it is public, and its latest version is sent', async () => {
    const slug = await read(text(SPECIFICATION));
    const published = `/~openapi/${world.a.organizationId}/${slug}/openapi.json`;
    expect((await app.call('GET', published)).status).toBe(404);
    const { body } = await call('PATCH', `${specs}/${slug}`, { visibility: 'public' });
    expect(new URL(body.urls.published).pathname).toBe(published);
    const answer = await app.call('GET', published);
    expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([200, '*']);
    expect(answer.body).toEqual(SPECIFICATION);
    const { etag = '' } = answer.headers;
    expect((await app.call('GET', published, { headers: { 'if-none-match': etag } })).status).toBe(304);
    await call('PATCH', `${specs}/${slug}`, { visibility: 'private' });
    expect((await app.call('GET', published)).status).toBe(404);
    await call('PATCH', `${specs}/${slug}`, { visibility: 'public' });
    expect((await call('DELETE', `${specs}/${slug}`)).status).toBe(205);
    expect((await app.call('GET', published)).status).toBe(404);
    expectError(await call('GET', `${specs}/${slug}`), 404);
  });
});

test('a specification that is deleted while it is read leaves nothing', async () => {
  served['/deleted.json'] = (request, response) =>
    void call('DELETE', `${specs}/${slug}`).then(() => json(SPECIFICATION)(request, response));
  const slug = await aSpec(app, world.a, { url: `${site.url}/deleted.json` });
  await readAllSpecs(app);
  expectError(await call('GET', `${specs}/${slug}`), 404);
});

test('the source of a process that has ended is read by another', async () => {
  const slug = await aSpec(app, world.a, text(SPECIFICATION));
  await app.sql(
    `update openapi_specs set processing_state = 'progress', next_read_at = now() + interval '1 minute' where slug = $1`,
    [slug],
  );
  await readAllSpecs(app);
  expect((await get(`${specs}/${slug}`)).processingState).toBe('progress');
  await makeDue();
  await readAllSpecs(app);
  expect((await get(`${specs}/${slug}`)).processingState).toBe('complete');
});
