import { sharedContext, startJobs } from '../app.ts';
import { readConfig } from '../config.ts';
import { openInstallation } from '../installation.ts';
import { createLog } from '../log.ts';
import { collectWhenIdle, limitHeapGrowth } from '../platform/heap.ts';
import type { Worker } from '../platform/jobs/worker.ts';
import type { Command } from './command.ts';
import { stopRequested, untilStopped } from './signals.ts';

export const worker: Command = {
  name: 'worker',
  summary: 'Run only jobs, alongside servers on the same database.',
  options: {},
  async run(_given, output) {
    limitHeapGrowth();
    collectWhenIdle();
    const stop = stopRequested();
    const config = readConfig();
    const log = createLog(config);
    const installation = await openInstallation({ config, log, exclusive: false, onCommit: () => undefined });
    const context = sharedContext(config, installation);
    let running: Worker | undefined;
    try {
      running = await startJobs(context, installation, log);
      output.result({ running: true }, 'Waiting for jobs.');
      await untilStopped(stop, installation.lost);
    } finally {
      await running?.stop();
      await context.threads.close();
      await installation.close();
    }
  },
};
