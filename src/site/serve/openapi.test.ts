import { beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../../test/app.ts';
import { specificationOf } from '../../../test/openapi-parts.ts';
import { aPublishedSite, type PublishedSite } from '../../../test/published-site.ts';
import { aSpec, readAllSpecs, SPECIFICATION } from '../../../test/specs.ts';
import { aWorld, type World } from '../../../test/world.ts';

let app: TestApp;
let world: World;
let site: PublishedSite;
let space: string;
let pages = 0;

beforeAll(async () => {
  app = await startApp();
  world = await aWorld(app);
  site = await aPublishedSite(app, world.a);
  ({ space } = await site.addSpace('API'));
  // The first page is at the address of the site.
  await pageOf('Start');
});

async function specOf(specification: object): Promise<string> {
  const slug = await aSpec(app, world.a, { text: JSON.stringify(specification) });
  await readAllSpecs(app);
  return slug;
}

/** Publishes a page; returns its path. */
async function pageOf(markdown: string): Promise<string> {
  const title = `Page ${++pages}`;
  await site.contents.edit(space, { operation: 'insert_page', title, document: { markdown } });
  return `/${title.toLowerCase().replace(' ', '-')}`;
}

const operationOf = (slug: string, path: string, method: string): string =>
  `{% openapi-operation spec="${slug}" path="${path}" method="${method}" %}\n{% endopenapi-operation %}`;

const replace = (slug: string, specification: object) =>
  site.change('PUT', `/v1/orgs/${world.a.organizationId}/openapi/${slug}`, {
    source: { text: JSON.stringify(specification) },
  });

describe('a page that shows an operation', () => {
  test('has its parameters, responses and examples, and loads its style only there', async () => {
    const slug = await specOf(SPECIFICATION);
    const path = await pageOf(operationOf(slug, '/pets/{id}', 'get'));
    const { text } = await site.read(path);
    expect(text).toContain('<code>friends</code><small>array of Pet</small>');
    expect(text).toContain('Get a pet');
    expect(text).toMatch(/<link rel="stylesheet" href="[^"]*\/api\.\w+\.css">/);
    expect((await site.read(await pageOf('Text'))).text).not.toMatch(/\/api\.\w+\.css/);
  });

  test('shows a description once', async () => {
    const description = 'Lists *all* pets.\n\nMore.';
    const slug = await specOf({
      openapi: '3.1.0',
      info: { title: 'Pets', version: '1' },
      paths: { '/pets': { get: { summary: 'List pets', description, responses: {} } } },
    });
    const page = {
      operation: 'insert_page',
      title: 'List pets',
      description: 'Lists all pets.',
      document: { markdown: operationOf(slug, '/pets', 'get') },
    };
    await site.contents.edit(space, page);
    const { text } = await site.read('/list-pets');
    expect(text).toContain('Lists <em>all</em> pets.');
    expect(text).not.toContain('<p>Lists all pets.</p>');
    expect(text).toContain('<meta name="description" content="Lists all pets.">');
  });

  test('shows a new version at once, and what was removed as removed', async () => {
    const slug = await specOf(SPECIFICATION);
    const path = await pageOf(operationOf(slug, '/pets/{id}', 'get'));
    expect((await site.read(path)).text).toContain('Get a pet');
    const operation = { ...SPECIFICATION.paths['/pets/{id}'].get, summary: 'Read one pet' };
    await replace(slug, { ...SPECIFICATION, paths: { '/pets/{id}': { get: operation } } });
    await readAllSpecs(app);
    expect((await site.read(path)).text).toContain('Read one pet');
    expect((await site.read(`${path}.md`)).text).toContain('Read one pet');
    await replace(slug, { ...SPECIFICATION, paths: {} });
    await readAllSpecs(app);
    const removed = `no longer part of the specification ${slug}`;
    expect((await site.read(path)).text).toContain(removed);
    await site.change('DELETE', `/v1/orgs/${world.a.organizationId}/openapi/${slug}`);
    const { status, text } = await site.read(path);
    expect(status).toBe(200);
    expect(text).not.toContain(removed);
    expect(text).toContain('<div class="api-path">');
  });

  test('is Markdown that programs can use, and keeps its block in the API', async () => {
    const slug = await specOf(specificationOf('Words'));
    const block = operationOf(slug, '/pets/{id}', 'post');
    const path = await pageOf(block);
    const { text } = await site.read(`${path}.md`);
    expect(text).toContain('`POST https://Words.example.com/Words/pets/{id}`');
    expect(text).toMatch(/\* `friends` \(array of Pet\)/);
    expect(text).toContain('```json\n{');
    expect(text).not.toContain('{% openapi');
    const page = await site.contents.get(`${space}/content/path${path}?format=markdown`);
    expect(page.markdown.trim()).toBe(block);
  });

  test('sends requests only to the servers that it shows', async () => {
    const servers = [
      { url: 'https://api.example.com/v1' },
      { url: "https://a;script-src'unsafe-inline'" },
      { url: '/relative' },
    ];
    const slug = await specOf({ ...SPECIFICATION, servers });
    const { text, headers } = await site.read(await pageOf(operationOf(slug, '/pets/{id}', 'get')));
    expect(headers['content-security-policy']).toContain("connect-src 'self' https://api.example.com;");
    expect(headers['content-security-policy']).not.toContain('a;script-src');
    expect(text).toContain('data-try=');
    const hidden = await specOf({ ...SPECIFICATION, servers, 'x-hideTryItPanel': true });
    const without = await site.read(await pageOf(operationOf(hidden, '/pets/{id}', 'get')));
    expect(without.text).not.toContain('data-try');
    expect(without.headers['content-security-policy']).toContain("connect-src 'self';");
  });

  test('shows nothing of the specification of another organization', async () => {
    const slug = await aSpec(app, world.b, { text: JSON.stringify(SPECIFICATION) });
    await readAllSpecs(app);
    expect((await site.read(await pageOf(operationOf(slug, '/pets/{id}', 'get')))).text).not.toContain(
      'Get a pet',
    );
  });
});

test('references and their forms are in the language of the site', async () => {
  const servers = [{ url: 'https://api.example.com' }];
  const slug = await specOf({ ...SPECIFICATION, servers });
  const path = await pageOf(operationOf(slug, '/pets/{id}', 'get'));
  await site.change('PUT', `${site.site}/customization`, { internationalization: { locale: 'de' } });
  const { text } = await site.read(path);
  expect(text).toContain('<h3>Antworten</h3>');
  expect(text).toContain('Ausprobieren');
  expect(text).toMatch(/data-try="[^"]*Senden/);
  await site.change('PUT', `${site.site}/customization`, { internationalization: { locale: 'en' } });
  expect((await site.read(path)).text).toContain('<h3>Responses</h3>');
});

test('models of one page are linked', async () => {
  const slug = await specOf(specificationOf('Words'));
  const block = `{% openapi-schemas spec="${slug}" schemas="Pet,Cat,Gone" %}\n{% endopenapi-schemas %}`;
  const { text } = await site.read(await pageOf(block));
  expect(text).toContain('<h2 id="~model-Pet-1">');
  expect(text).toContain('array of <a href="#~model-Pet-1">Pet</a>');
  expect(text).toContain(`Gone is no longer part of the specification ${slug}.`);
});

describe('a page that shows a file of its space', () => {
  const blockOf = (tag: string, file: string, path = '/pets/{id}') =>
    `{% ${tag} src="/files/${file}" path="${path}" method="get" %}\n{% end${tag} %}`;

  async function fileOf(name: string, content: string): Promise<string> {
    const files = [{ name, base64: Buffer.from(content).toString('base64') }];
    await site.contents.edit(space, { operation: 'insert_files', files });
    const { items } = await site.contents.get(`${space}/content/files`);
    return items.find((file: { name: string }) => file.name === name).id;
  }

  test.each(['openapi', 'swagger'])('shows its operation: %s', async (tag) => {
    const file = await fileOf(`${tag}.json`, JSON.stringify(SPECIFICATION));
    const block = blockOf(tag, file);
    const path = await pageOf(block);
    expect((await site.read(path)).text).toContain('<code>friends</code><small>array of Pet</small>');
    expect((await site.read(`${path}.md`)).text).toContain('`GET /pets/{id}`');
    const page = await site.contents.get(`${space}/content/path${path}?format=markdown`);
    expect(page.markdown.trim()).toBe(block);
    const gone = await site.read(await pageOf(blockOf(tag, file, '/gone')));
    expect(gone.text).toContain(`no longer part of the specification ${tag}.json`);
  });

  test('reads YAML that takes long in a thread', async () => {
    const description = `x${' x'.repeat(40_000)}`;
    const yaml = `openapi: 3.0.0\ninfo: {title: Pets, version: "1", description: ${description}}\npaths:\n  /pets/{id}:\n    get: {summary: Long ago}\n`;
    const file = await fileOf('long.yaml', yaml);
    expect((await site.read(await pageOf(blockOf('openapi', file)))).text).toContain('Long ago');
  });

  test.each([
    ['is no specification', 'other.yaml', 'name: octavo'],
    ['is not even text', 'other.json', '\0\u0001'],
  ])('shows method, path and a link where the file %s', async (_what, name, content) => {
    const { status, text } = await site.read(await pageOf(blockOf('openapi', await fileOf(name, content))));
    expect(status).toBe(200);
    expect(text).toContain('<div class="api-path">');
    expect(text).toMatch(new RegExp(`<a [^>]*>${name}</a>`));
    expect(text).not.toContain('no longer part');
  });
});

describe('a page that describes an operation itself', () => {
  const BLOCK = `{% swagger method="post" path="/pets/{id}" baseUrl="https://api.example.com/v1" summary="Feed a pet" %}
{% swagger-description %}
Gives **food** to a pet. See [the start](/start).
{% endswagger-description %}

{% swagger-parameter in="path" name="id" type="string" required="true" %}
The id of the pet
{% endswagger-parameter %}

{% swagger-parameter in="header" name="Authorization" type="String" required="true" %}
Your key
{% endswagger-parameter %}

{% swagger-parameter in="body" name="grams" type="Integer" %}{% endswagger-parameter %}

{% swagger-response status="200: OK" description="Fed" %}
\`\`\`javascript
{ "left": 12 }
\`\`\`
{% endswagger-response %}

{% swagger-response status="404" description="Not found" %}

{% endswagger-response %}
{% endswagger %}`;

  test('shows it as those of specifications, and keeps its source', async () => {
    const path = await pageOf(`${BLOCK}\n\nAfter.`);
    const { text, headers } = await site.read(path);
    expect(text).toMatch(/<h2 [^>]*><a [^>]*>Feed a pet<\/a><\/h2>/);
    expect(text).toContain('<span>https://api.example.com/v1</span>/pets/<var>{id}</var>');
    expect(text).toContain('<strong>food</strong>');
    expect(text).toContain('<code>grams</code><small>integer</small>');
    expect(text).toContain('Your key');
    expect(text).toContain('curl');
    expect(text).toContain('Not found');
    expect(text).toContain('After.');
    expect(text).not.toContain('swagger');
    expect(headers['content-security-policy']).toContain('https://api.example.com');
    const { text: markdown } = await site.read(`${path}.md`);
    expect(markdown).toContain('`POST https://api.example.com/v1/pets/{id}`');
    expect(markdown).toContain('"left": 12');
    expect(markdown).not.toContain('swagger');
    const page = await site.contents.get(`${space}/content/path${path}?format=markdown`);
    expect(page.markdown.trim()).toBe(`${BLOCK}\n\nAfter.`);
  });

  test.each([
    ['without an end', '{% swagger method="get" path="/x" %}\n\nText'],
    ['with nothing', '{% swagger %}{% endswagger %}\n\nText'],
    [
      'in another block',
      '{% hint style="info" %}\n{% swagger method="get" path="/x" %}\n{% endswagger %}\n{% endhint %}\n\nText',
    ],
    ['within itself', '{% swagger %}\n{% swagger %}\n{% endswagger %}\n{% endswagger %}\n\nText'],
  ])('is read %s', async (_what, markdown) => {
    const { status, text } = await site.read(await pageOf(markdown));
    expect(status).toBe(200);
    expect(text).toContain('Text');
  });
});
