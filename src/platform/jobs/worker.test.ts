import pg from 'pg';
import { pino } from 'pino';
import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { aDatabase } from '../../../test/databases.ts';
import { atEnd } from '../../../test/at-end.ts';
import type { Job, JobContext } from './job.ts';
import { migrateJobs, startWorker } from './worker.ts';

test('a job runs again if its end could not be written, and its lock not be released at first', async () => {
  const pool = new pg.Pool(await aDatabase());
  // The runner that stopped keeps a connection, which ends with the database.
  pool.on('connect', (client) => void client.on('error', () => undefined)).on('error', () => undefined);
  await migrateJobs(pool);
  let isDown = false;
  let refusedReleases = 0;
  const lost = () => Object.assign(new Error('the connection is lost'), { code: '57P01' });
  const outage = new Proxy(pool, {
    get(target, name) {
      if (name === 'connect') return () => (isDown ? Promise.reject(lost()) : target.connect());
      if (name === 'query')
        return (text: string, values: unknown[]) => {
          if (!isDown) return target.query(text, values);
          // The outage ends just after the attempt to release jobs.
          if (text.includes('force_unlock_workers') && ++refusedReleases > 0) isDown = false;
          return Promise.reject(lost());
        };
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  let runs = 0;
  const job: Job = {
    name: 'fails_during_an_outage',
    input: Type.Object({}),
    run: async () => {
      if (++runs > 1) return;
      isDown = true;
      throw new Error('no result');
    },
  };
  const worker = await startWorker(outage, [job], { log: pino({ level: 'silent' }) } as JobContext);
  atEnd(() => worker.stop());
  await pool.query(`select graphile_worker.add_job('fails_during_an_outage', '{}')`);
  await expect.poll(() => runs).toBe(2);
  expect(refusedReleases).toBe(1);
});
