import { beforeAll, describe, expect, test } from 'vitest';
import { Check } from 'typebox/value';
import { operations } from '../src/domains/index.ts';
import { startApp, type TestApp } from './app.ts';
import { isPaged, sampleOf, type Sample } from './sample.ts';
import { aWorld, type World } from './world.ts';

let app: TestApp;
let world: World;

beforeAll(async () => {
  app = await startApp({ environment: { OCTAVO_URL: 'http://octavo.test/docs' } });
  world = await aWorld(app);
});

const send = (sample: Sample, token: string | undefined = sample.token) =>
  app.call(sample.method, sample.url, { token, ...(sample.body === undefined ? {} : { body: sample.body }) });

/** Invariants of every operation. */
describe.each(operations.map((operation) => [operation.id, operation] as const))('%s', (_id, operation) => {
  // One for all tests: a request that is refused has no effect, and the last one accepts it.
  let built: Promise<Sample> | undefined;
  const sample = () => (built ??= sampleOf(app, operation, world.a));

  if (operation.access.kind !== 'anyone') {
    test('returns 401 without a token', async () => {
      const { method, url, body } = await sample();
      const answer = await app.call(method, url, body === undefined ? {} : { body });
      expect(answer.status).toBe(401);
      expect(answer.body.error.code).toBe(401);
      expect((await send(await sample(), 'ov_nobody')).status).toBe(401);
    });
  }

  if (operation.access.kind === 'target' && !operation.access.resource.isOpen && operation.params) {
    test('returns 404 to a caller of another organization', async () => {
      for (const caller of [world.b.admin, world.stranger]) {
        const answer = await send(await sample(), caller.token);
        expect(answer.status, answer.text).toBe(404);
        expect(answer.text).not.toContain(`marker-${world.a.name}`);
      }
    });
  }

  if (operation.body) {
    test('returns 400 for a malformed body', async () => {
      const { method, url, token } = await sample();
      for (const raw of ['{', '[]', '"text"', '7', '{"a":'.repeat(150), '\u0000']) {
        const answer = await app.call(method, url, { token, raw });
        expect(answer.status, raw.slice(0, 20)).toBe(400);
        expect(answer.body.error).toMatchObject({ code: 400, message: expect.any(String) });
      }
      const wrongType = await app.call(method, url, {
        token,
        raw: 'a=b',
        headers: { 'content-type': 'text/plain' },
      });
      expect(wrongType.status).toBe(415);
    });
  }

  if (isPaged(operation)) {
    test('rejects cursors that it did not issue', async () => {
      const { method, bareUrl, token } = await sample();
      for (const malformed of [
        'page=x',
        'page=e30.AAAA',
        'limit=-1',
        'limit=1001',
        'limit=1.5',
        'limit=',
        'limit=ten',
      ]) {
        const answer = await app.call(method, `${bareUrl}${malformed}`, { token });
        expect(answer.status, malformed).toBe(400);
      }
    });
  }

  test('accepts a valid request, as declared', async () => {
    const answer = await send(await sample());
    expect(answer.status, answer.text).toBe(operation.status);
    if (operation.response) expect(Check(operation.response, answer.body), answer.text).toBe(true);
    else expect(answer.text).toBe('');
    if (operation.status === 201)
      expect(answer.headers['location']).toMatch(/^http:\/\/octavo\.test\/docs\/(v1|~uploads)\//);
    // Every URL of the server has the path of its public URL, once.
    expect(answer.text).not.toMatch(/http:\/\/octavo\.test(?!\/docs\/(?!docs\/))/);
    expect(answer.headers['x-request-id']).toMatch(/^\w{20}$/);
  });
});
