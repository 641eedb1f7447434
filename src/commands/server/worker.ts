import { probeServer, sharedContext, startJobs } from '../../app.ts';
import { readConfig } from '../../config.ts';
import { openInstallation } from '../../installation.ts';
import { createLog } from '../../log.ts';
import type { Worker } from '../../platform/jobs/worker.ts';
import type { Command } from '../command.ts';
import { listenAt } from './listen.ts';
import { stopRequested, untilStopped } from '../signals.ts';

export const worker: Command = {
  name: 'worker',
  summary: 'Run only jobs, alongside servers on the same database.',
  options: {},
  async run(_given, output) {
    const stop = stopRequested();
    const config = readConfig();
    const log = createLog(config);
    for (const warning of config.warnings) log.warn(warning);
    const installation = await openInstallation({ config, log, exclusive: false, onCommit: () => undefined });
    const context = sharedContext(config, installation);
    let running: Worker | undefined;
    const probes = probeServer(config, log, installation, context);
    try {
      if (config.probePort !== undefined)
        await listenAt(probes, config.host, config.probePort, 'OCTAVO_PROBE_PORT');
      running = await startJobs(context, installation, log);
      output.result({ running: true }, 'Waiting for jobs.');
      await untilStopped(stop, installation.lost);
    } finally {
      await probes.close();
      await running?.stop();
      await context.threads.close();
      await installation.close();
    }
  },
};
