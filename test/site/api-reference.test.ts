import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../app.ts';
import { launchBrowser } from '../browser.ts';
import { partOf } from '../exhaustive.ts';
import { aPublishedSite, type PublishedSite } from '../published-site.ts';
import { serveSite, type Handler } from '../site.ts';
import { listening } from '../socket.ts';
import { aSpec, readAllSpecs } from '../specs.ts';
import { aSide, type Side } from '../world.ts';
import { axeViolations } from './accessibility.ts';
import { visitor } from './visit.ts';

/** API references of the running program in a browser. */

let app: TestApp;
let side: Side;
let site: PublishedSite;
let space: string;
let origin: string;
let browser: Browser;

beforeAll(async () => {
  app = await startApp();
  side = await aSide(app, 'alpha');
  origin = `http://127.0.0.1:${(await listening(app)).port}`;
  site = await aPublishedSite(app, side, { title: 'Pets' });
  ({ space } = await site.addSpace('API'));
  // The first page is at the address of the site.
  await pageOf('Start', 'Text.');
  browser = await launchBrowser();
}, 300_000);
afterAll(() => browser.close());

/** Publishes a page; returns its address. */
async function pageOf(title: string, markdown: string): Promise<string> {
  await site.contents.edit(space, { operation: 'insert_page', title, document: { markdown } });
  return `${origin}/${site.basename}/${title.toLowerCase().replaceAll(' ', '-')}`;
}

async function specOf(specification: object): Promise<string> {
  const slug = await aSpec(app, side, { text: JSON.stringify(specification) });
  await readAllSpecs(app);
  return slug;
}

const LONG_PATH = `/pets/${'veryLongSegment'.repeat(19)}/{id}`;
const LONG_PROPERTY = 'aPropertyWithoutEnd_'.repeat(10);

const JSON_OF = (name: string) => ({
  content: { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } },
});

const specificationOf = (server: string) => ({
  openapi: '3.1.0',
  info: { title: 'Pets', version: '1.0.0' },
  servers: [{ url: server }],
  security: [{ key: [] }],
  tags: [{ name: 'pets' }],
  paths: {
    '/pets/{id}': {
      post: {
        operationId: 'updatePet',
        summary: 'Update a pet',
        tags: ['pets'],
        description: 'Changes the fields that are sent. See [the guide](https://example.org/) for `ids`.',
        parameters: [
          {
            name: 'id',
            in: 'path',
            required: true,
            description: 'The id of the pet.',
            schema: { type: 'string', pattern: '^[a-z]+$', example: 'rex' },
          },
          {
            name: 'notify',
            in: 'query',
            description: 'Whom to tell.',
            schema: { type: 'string', enum: ['owner', 'nobody'], default: 'nobody' },
          },
        ],
        requestBody: { required: true, ...JSON_OF('Pet') },
        responses: {
          200: {
            description: 'The pet',
            headers: { 'X-Rate': { schema: { type: 'integer' } } },
            ...JSON_OF('Pet'),
          },
          404: { description: 'There is no such pet.', ...JSON_OF('Fault') },
        },
      },
    },
    [LONG_PATH]: {
      get: {
        summary: `List ${LONG_PROPERTY}`,
        tags: ['pets'],
        deprecated: true,
        parameters: [
          { name: LONG_PROPERTY, in: 'query', schema: { type: 'string', example: LONG_PROPERTY } },
        ],
        responses: { 200: { description: 'Pets', ...JSON_OF(LONG_PROPERTY.slice(0, 100)) } },
      },
    },
  },
  webhooks: { petMoved: { post: { summary: 'A pet moved', requestBody: JSON_OF('Pet') } } },
  components: {
    securitySchemes: {
      key: { type: 'apiKey', in: 'header', name: 'X-Key', description: 'From your profile.' },
    },
    schemas: {
      Pet: {
        type: 'object',
        description: 'An animal that lives with people.',
        required: ['name'],
        properties: {
          name: { type: 'string', minLength: 1, description: 'What it is called.' },
          kind: {
            type: 'string',
            enum: ['cat', 'dog'],
            'x-enumDescriptions': { cat: 'Meows', dog: 'Barks' },
          },
          friends: { type: 'array', items: { $ref: '#/components/schemas/Pet' } },
          home: {
            type: 'object',
            properties: { street: { type: 'string' }, [LONG_PROPERTY]: { type: 'string' } },
          },
        },
      },
      Fault: { type: 'object', properties: { message: { type: 'string' } } },
      [LONG_PROPERTY.slice(0, 100)]: { type: 'array', items: { $ref: '#/components/schemas/Pet' } },
    },
  },
});

const operationBlock = (slug: string, method: string, path: string): string =>
  `{% openapi-operation spec="${slug}" path="${path}" method="${method}" %}\n{% endopenapi-operation %}`;

const OVERFLOW = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';

const OPEN_ALL = 'for (const each of document.querySelectorAll(".api .inside")) each.open = true';

/** For those who look at the pages. */
async function keepPicture(page: Page, name: string): Promise<void> {
  const folder = process.env['OCTAVO_PICTURES'];
  if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
}

describe('a page with operations, models and a webhook', () => {
  let addresses: readonly (readonly [name: string, address: string])[];

  beforeAll(async () => {
    const slug = await specOf(specificationOf('https://api.example.com'));
    const webhook = `{% openapi-webhook spec="${slug}" name="petMoved" method="post" %}\n{% endopenapi-webhook %}`;
    const names = `Pet,Fault,${LONG_PROPERTY.slice(0, 100)}`;
    const models = `{% openapi-schemas spec="${slug}" schemas="${names}" %}\n{% endopenapi-schemas %}`;
    const update = operationBlock(slug, 'post', '/pets/{id}');
    const list = operationBlock(slug, 'get', LONG_PATH);
    addresses = [
      ['operations', await pageOf('Operations', [update, list, webhook].join('\n\n'))],
      ['models', await pageOf('Models', models)],
      [
        'tag',
        await pageOf(
          'Pets by tag',
          `About pets.\n\n## Update a pet\n\n${update}\n\n## A pet moved\n\n${webhook}`,
        ),
      ],
    ];
  });

  test.each([390, 834, 1100, 1440].map((width, n) => [width, n] as const))(
    'is accessible and fits: %i px',
    async (width, n) => {
      for (const colorScheme of partOf(['dark', 'light'] as const, 2, n))
        for (const [name, address] of addresses) {
          const { page, problems, close } = await visitor(browser, {
            colorScheme,
            viewport: { width, height: 900 },
          });
          await page.goto(address);
          await keepPicture(page, `${name}-${width}-${colorScheme}`);
          expect(await page.evaluate(OVERFLOW), `overflow of ${name}`).toBe(0);
          await page.evaluate(OPEN_ALL);
          expect(await page.evaluate(OVERFLOW), `overflow of ${name}, all open`).toBe(0);
          expect(await axeViolations(page), name).toEqual([]);
          expect(problems).toEqual([]);
          await close();
        }
    },
  );
});

describe('a request of a reader', () => {
  const allowed: Handler = (request, response) => {
    const headers = {
      'access-control-allow-origin': origin,
      'access-control-allow-headers': 'x-key, content-type',
    };
    let body = '';
    request.on('data', (chunk) => (body += chunk));
    request.on('end', () => {
      if (request.method === 'OPTIONS') return void response.writeHead(204, headers).end();
      const { method, url, headers: sent } = request;
      const answer = { method, url, key: sent['x-key'], cookie: sent.cookie ?? null, body };
      response.writeHead(200, { ...headers, 'content-type': 'application/json' }).end(JSON.stringify(answer));
    });
  };
  const refused: Handler = (_request, response) => response.writeHead(200).end('secret');

  /** Opens the form, and sends a request with a key. */
  async function sendTo(handler: Handler, colorScheme: 'light' | 'dark') {
    const api = await serveSite({}, handler);
    const slug = await specOf(specificationOf(api.url));
    const address = await pageOf(`Try ${slug}`, operationBlock(slug, 'post', '/pets/{id}'));
    const visit = await visitor(browser, { colorScheme, viewport: { width: 834, height: 900 } });
    const { page } = visit;
    await page.goto(address);
    await page.getByRole('button', { name: 'Try it' }).click();
    await page.getByLabel('X-Key').fill('k1');
    await page.getByLabel('id', { exact: true }).fill('rex & co');
    await page.getByRole('button', { name: 'Send' }).click();
    const answer = page.locator('.try .answer');
    await answer.locator('p').waitFor();
    expect(await page.evaluate(OVERFLOW)).toBe(0);
    expect(await axeViolations(page)).toEqual([]);
    await keepPicture(page, `try-${handler === refused ? 'refused' : 'allowed'}-${colorScheme}`);
    return { visit, api, text: await answer.innerText() };
  }

  test('shows the response of an API that allows it', async () => {
    const { visit, api, text } = await sendTo(allowed, 'dark');
    expect(text).toContain('200 OK');
    const sent = JSON.parse(text.slice(text.indexOf('{'))) as Record<string, string | null>;
    expect(sent).toMatchObject({ method: 'POST', url: '/pets/rex%20%26%20co', key: 'k1', cookie: null });
    expect(JSON.parse(sent['body'] ?? '')).toHaveProperty('name');
    expect(visit.origins).toEqual(new Set([origin, api.url]));
    expect(visit.problems).toEqual([]);
    await visit.close();
  });

  test('says so if the API does not allow it', async () => {
    const { visit, text } = await sendTo(refused, 'light');
    expect(text).toContain('does not allow requests from this site (CORS)');
    expect(text).not.toContain('secret');
    await visit.close();
  });
});
