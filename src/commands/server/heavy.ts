import { setTimeout as delay } from 'node:timers/promises';
import { buildApp, startJobs } from '../../app.ts';
import { readConfig } from '../../config.ts';
import { createLog } from '../../log.ts';
import { isDatabaseAway } from '../../platform/database/connection.ts';
import { ALIVE_MS, type FromHeavy, type ToHeavy } from '../../platform/heavy/messages.ts';
import type { Worker } from '../../platform/jobs/worker.ts';
import type { Command } from '../command.ts';
import { untilStopped } from '../signals.ts';

/** The wait between attempts while the database is unavailable. */
const RETRY_MS = 1_000;

/** Started by `serve`: runs its jobs, and performs what is too large for the process that accepts connections (decision 68). */
export const heavy: Command = {
  name: 'heavy',
  summary: 'A part of serve, which starts it: jobs and large requests.',
  isInternal: true,
  options: {},
  arguments: ['socket'],
  async run({ socket = '' }) {
    const stop = stopRequested();
    const config = readConfig();
    const log = createLog(config);
    // The front counts and logs the requests.
    const app = await buildApp({ ...config, rateLimit: 0, requestLogLevel: 'silent' }, log, {
      isBehindFront: true,
    }).catch((error: unknown) => {
      // The front starts another process, until the database answers. It reports that itself.
      if (!isDatabaseAway(error)) throw error;
      log.warn({ err: error }, 'the heavy process could not reach the database');
    });
    if (!app) return;
    let worker: Promise<Worker | undefined> | undefined;
    let jobs = (): number => 0;
    let isStopping = false;
    const runJobs = async (): Promise<Worker | undefined> => {
      try {
        const started = await startJobs(app.context, app.installation, log, (id) =>
          tell({ type: 'worker', id }),
        );
        jobs = started.running;
        return started;
      } catch (error) {
        if (!isDatabaseAway(error)) throw error;
        log.warn({ err: error }, 'jobs cannot be started');
        await delay(RETRY_MS);
        return isStopping ? undefined : runJobs();
      }
    };
    try {
      await app.server.listen({ path: socket });
      void stop.then(() => (isStopping = true));
      onMessage('run jobs', () => {
        if (!isStopping) worker = runJobs();
      });
      tell({ type: 'listening' });
      setInterval(() => tell({ type: 'alive', jobs: jobs() }), ALIVE_MS).unref();
      await untilStopped(stop, app.installation.lost);
    } finally {
      await Promise.all([worker?.then((started) => started?.stop()), app.server.close()]);
      await app.close();
    }
  },
};

const tell = (message: FromHeavy): void =>
  void process.send?.(message, undefined, undefined, () => undefined);

function onMessage(wanted: ToHeavy, act: () => unknown): void {
  process.on('message', (message) => message === wanted && act());
}

/**
 * Resolves when the front asks to stop, or has ended. Signals are ignored, because those of a terminal reach both processes,
 * and the front still needs this one to answer its requests.
 */
function stopRequested(): Promise<void> {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);
  return new Promise((resolve) => {
    onMessage('stop', resolve);
    process.once('disconnect', resolve);
  });
}
