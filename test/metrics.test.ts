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

  test('has the metrics of the heavy process, told apart by a label', async () => {
    const app = await startApp({ environment: LOCAL, hasHeavy: true });
    const { status, text } = await app.call('GET', '/metrics');
    expect(status).toBe(200);
    expect(text).toMatch(/^process_resident_memory_bytes \d+$/m);
    expect(text).toMatch(/^process_resident_memory_bytes\{process="heavy"\} \d+$/m);
    expect(text).toMatch(/^octavo_import_pages_total.*process="heavy"|^octavo_imports.*process="heavy"/m);
    expect(text.match(/^# TYPE process_resident_memory_bytes /gm)).toHaveLength(1);
    expect((await app.call('GET', '/metrics.json')).status).toBe(404);
  });

  test('has the version, the free disk space, and the jobs of each task by state', async () => {
    const app = await startApp({ environment: LOCAL });
    const job = (task: string) =>
      app.sql(`select graphile_worker.add_job($1, '{}', run_at => now() - interval '1 hour')`, [task]);
    for (const task of ['git.run', 'git.run', 'mail.later']) await job(task);
    await app.sql(`update graphile_worker._private_jobs set attempts = max_attempts
      where id = (select min(id) from graphile_worker.jobs where task_identifier = 'git.run')`);
    const { text } = await app.call('GET', '/metrics');
    expect(text).toMatch(/^octavo_build_info\{version="[\d.]+",node="[\d.]+"\} 1$/m);
    expect(Number(/^octavo_disk_free_bytes (\d+)$/m.exec(text)?.[1])).toBeGreaterThan(0);
    const states = (task: string) =>
      Array.from(text.matchAll(/^octavo_jobs\{task="([^"]+)",state="(\w+)"\} (\d+)$/gm))
        .filter(([, name]) => name === task)
        .map(([, , state, count]) => `${state} ${count}`);
    expect(states('git.run')).toEqual(['waiting 1', 'running 0', 'failed 1']);
    expect(states('mail.later')).toEqual(['waiting 1', 'running 0', 'failed 0']);
    expect(states('imports.run')).toEqual(['waiting 0', 'running 0', 'failed 0']);
    const oldest = Number(/^octavo_job_oldest_seconds\{task="git.run"\} ([\d.]+)$/m.exec(text)?.[1]);
    expect(oldest).toBeGreaterThanOrEqual(3600);
    expect(text).toContain('octavo_job_oldest_seconds{task="imports.run"} 0');
  });
});
