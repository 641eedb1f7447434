import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { operations } from '../src/domains/index.ts';
import type { NamedOperation } from '../src/platform/api/operation.ts';
import { startApp, type Call, type TestApp } from './app.ts';
import { contentsOf, idsOf, insert } from './content.ts';
import { EVERY_NODE } from './every-node.ts';
import { changedAt, deep, mutate, mutations, placesIn } from './mutate.ts';
import { IS_EXHAUSTIVE } from './exhaustive.ts';
import { expectError } from './refusal.ts';
import { sampleOf, type Sample } from './sample.ts';
import { aWorld, type World } from './world.ts';

const SEED = 20_261_115;
const RUNS = IS_EXHAUSTIVE ? 128 : 16;
/** The number of requests that share one sample, before a new one replaces what they used up. */
const PER_SAMPLE = 16;

let app: TestApp;
let world: World;

beforeAll(async () => {
  app = await startApp();
  world = await aWorld(app);
});

/** Texts that are known to break software. */
const NASTY_TEXTS = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\udc00\ud800',
  '\ufeff',
  '\u202eabc',
  '👨‍👩‍👧‍👦'.repeat(60),
  'e\u0301'.repeat(300),
  'x'.repeat(256),
  'x'.repeat(5000),
  '%',
  '%_\\',
  "' or 1=1 --",
  '"; drop table users; --',
  '<script>alert(1)</script>',
  '${7*7}',
  '../../etc/passwd',
  '__proto__',
  'constructor',
  'null',
  '-1',
  '1e309',
  'NaN',
  '0000-00-00T00:00:00Z',
  '2026-02-30T00:00:00Z',
  '2026-12-31T23:59:60Z',
  '9999-12-31T23:59:59+23:59',
  '2030-01-01T00:00:00+99:99',
  '2030-01-01T00:00:00+16:00',
  '2030-01-01t00:00:00z',
  '"a@alpha.example@b"@evil.example',
  'a@b',
  '"\r\nBcc: x"@evil.example',
  'http://',
  'https://[::1',
  'https://x.example/\u0000',
  'javascript:alert(1)',
  'xn--',
  'a.'.repeat(130),
];

const nastyText = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...NASTY_TEXTS) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 80 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 300 }) },
);

const nasty: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: nastyText },
  {
    weight: 3,
    arbitrary: fc.constantFrom<unknown>(
      null,
      true,
      false,
      0,
      -1,
      -0.5,
      1e308,
      2 ** 53,
      -(2 ** 63),
      [],
      [[]],
      {},
      [null],
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom<unknown>(
      deep(90),
      Array.from({ length: 1500 }, () => 'x'),
      { length: -1 },
    ),
  },
  { weight: 2, arbitrary: fc.array(nastyText, { maxLength: 4 }) },
  {
    weight: 1,
    arbitrary: fc.dictionary(fc.constantFrom('id', 'role', 'type', '__proto__', 'x'), nastyText, {
      maxKeys: 4,
    }),
  },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
);

const inBody = [
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('body' as const), at: fc.nat(), value: nasty }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('no field' as const), at: fc.nat() }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('bytes' as const), value: fc.uint8Array({ maxLength: 64 }) }),
  },
];
const inPath = [
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('path' as const), at: fc.nat(), value: nastyText }) },
];
const anywhere = [
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('whole body' as const), value: nasty }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('query' as const),
      at: fc.nat(),
      values: fc.array(nastyText, { minLength: 1, maxLength: 3 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('header' as const),
      at: fc.nat(),
      value: fc.string({ unit: 'grapheme-ascii', maxLength: 300 }),
    }),
  },
];

/** A mutation of a valid request. `at` selects the place, modulo the number of places. */
const mutationOf = ({ body, params }: NamedOperation) =>
  fc.oneof(...(body ? inBody : []), ...(params ? inPath : []), ...anywhere);
type Mutation = ReturnType<typeof mutationOf> extends fc.Arbitrary<infer M> ? M : never;

const HEADERS = [
  'if-match',
  'if-none-match',
  'idempotency-key',
  'content-type',
  'accept-encoding',
  'accept',
  'range',
  'prefer',
];

interface Mutated {
  readonly url: string;
  readonly call: Call;
}

function mutated(sample: Sample, path: string, queryNames: readonly string[], mutation: Mutation): Mutated {
  const call: { -readonly [K in keyof Call]: Call[K] } = {
    token: sample.token,
    ...(sample.body === undefined ? {} : { body: sample.body }),
  };
  const places = placesIn(sample.body);
  switch (mutation.kind) {
    case 'body': {
      const place = places[mutation.at % (places.length || 1)];
      call.body = place
        ? changedAt(sample.body, place, (inside, key) => (inside[key] = mutation.value))
        : mutation.value;
      break;
    }
    case 'no field': {
      const place = places[mutation.at % (places.length || 1)];
      if (place) call.body = changedAt(sample.body, place, (inside, key) => delete inside[key]);
      break;
    }
    case 'whole body':
      call.body = mutation.value;
      break;
    case 'bytes':
      call.raw = Buffer.from(mutation.value);
      break;
    case 'query': {
      const name = queryNames[mutation.at % queryNames.length] ?? 'page';
      const pairs = mutation.values.map((value) => `${name}=${encoded(value)}`).join('&');
      return { url: `${sample.url}${sample.url.includes('?') ? '&' : '?'}${pairs}`, call };
    }
    case 'path': {
      const names = Object.keys(sample.params);
      const name = names[mutation.at % (names.length || 1)];
      const params = name ? { ...sample.params, [name]: mutation.value } : sample.params;
      return {
        url: path.replaceAll(/\{(\w+)\}/g, (_match, each: string) => encoded(params[each] ?? '')),
        call,
      };
    }
    case 'header':
      call.headers = { [HEADERS[mutation.at % HEADERS.length] ?? '']: mutation.value };
      break;
  }
  return { url: sample.url, call };
}

/** A lone surrogate cannot be encoded; it is sent as a decoder would replace it. */
const encoded = (text: string): string => encodeURIComponent(Buffer.from(text).toString());

describe('no mutated request causes a server error', () => {
  test.each(operations.map((operation, n) => [operation.id, operation, n] as const))(
    '%s',
    async (_id, operation, n) => {
      const queryNames = Object.keys(operation.query?.properties ?? { page: 1, limit: 1 });
      let sample: Sample | undefined;
      let sent = 0;
      await fc.assert(
        fc.asyncProperty(mutationOf(operation), async (mutation) => {
          if (!sample || sent % PER_SAMPLE === 0) sample = await sampleOf(app, operation, world.a);
          sent++;
          const { url, call } = mutated(sample, operation.path, queryNames, mutation);
          const answer = await app.call(operation.method, url, call);
          expect(answer.status, answer.text).toBeLessThan(500);
          if (answer.status >= 400) expectError(answer, answer.status);
          else expect(answer.status).toBeLessThan(305);
          if (operation.method === 'DELETE' && answer.status < 300) sample = undefined;
        }),
        // Operations differ in what they are sent.
        { seed: SEED + n, numRuns: RUNS, endOnFailure: true },
      );
    },
  );

  test('or breaks later reads', async () => {
    const organization = `/v1/orgs/${world.a.organizationId}`;
    for (const path of [
      '/v1/user',
      '/v1/orgs',
      organization,
      `${organization}/members`,
      `${organization}/teams`,
    ]) {
      expect((await app.call('GET', path, { token: world.a.admin.token })).status, path).toBe(200);
    }
    expect({}).not.toHaveProperty('x');
  });
});

describe('no mutated document causes a server error', () => {
  const DOCUMENT_RUNS = 150;

  test('errors name their place, and accepted documents can be read', async () => {
    const contents = contentsOf(app, world.a);
    const space = await contents.aSpace();
    const [page = ''] = idsOf(await contents.edit(space, insert('Every', EVERY_NODE)));
    const { document } = await contents.page(space, page, '?format=document');
    const seen = new Map<number, number>();
    await fc.assert(
      fc.asyncProperty(fc.nat(), mutations, async (at, all) => {
        // One block alone, so that mutations reach all its members; it replaces all others of the page.
        const nodes = [document.nodes[at % document.nodes.length]];
        const sent = { document: mutate({ ...document, nodes }, all) };
        const answer = await contents.send(space, [
          { operation: 'insert_page', title: 'Sent', document: sent },
          { operation: 'update_page', page, document: sent },
        ]);
        seen.set(answer.status, (seen.get(answer.status) ?? 0) + 1);
        if (answer.status !== 200) {
          expectError(answer, 400, /^body\.changes\.0\.document/);
          return;
        }
        for (const id of idsOf(answer.body)) {
          expect((await contents.page(space, id)).markdown).toEqual(expect.any(String));
          expect((await contents.page(space, id, '?format=document')).document.object).toBe('document');
        }
      }),
      { seed: SEED, numRuns: DOCUMENT_RUNS, endOnFailure: true },
    );
    expect(seen.get(200) ?? 0).toBeGreaterThan(5);
    expect(seen.get(400) ?? 0).toBeGreaterThan(5);
  });
});
