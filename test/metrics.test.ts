import { describe, expect, test } from 'vitest';
import { startApp } from './app.ts';

const metricsOf = async (environment: Record<string, string>, headers: Record<string, string> = {}) => {
  const app = await startApp({ environment });
  return app.call('GET', '/metrics', { headers });
};

const LOCAL = { HOST: '127.0.0.1', OCTAVO_URL: 'http://localhost:3000' };

describe('/metrics', () => {
  test('is public on a server that listens on the loopback interface only', async () => {
    const answer = await metricsOf(LOCAL);
    expect(answer.status).toBe(200);
    expect(answer.text).toContain('octavo_request_seconds');
  });

  test.each([
    ['listens on every address', { ...LOCAL, HOST: '0.0.0.0' }, {}],
    ['has a public address', { ...LOCAL, OCTAVO_URL: 'https://docs.example.org' }, {}],
    ['is asked through a proxy', LOCAL, { 'x-forwarded-for': '203.0.113.7' }],
  ])('is protected on a server that %s', async (_name, environment, headers) => {
    const answer = await metricsOf(environment, headers);
    expect([answer.status, answer.body.error.message]).toEqual([
      403,
      expect.stringContaining('OCTAVO_METRICS_TOKEN'),
    ]);
  });

  test('accepts its token on every server', async () => {
    const environment = { HOST: '0.0.0.0', OCTAVO_METRICS_TOKEN: 'a token for metrics' };
    const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
    expect((await metricsOf(environment, bearer('a token for metrics'))).status).toBe(200);
    expect((await metricsOf(environment, bearer('another token'))).status).toBe(401);
    expect((await metricsOf(environment)).status).toBe(401);
  });
});
