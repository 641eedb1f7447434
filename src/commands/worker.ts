import { createLog, startJobs } from '../app.ts';
import { readConfig } from '../config.ts';
import { openInstallation } from '../installation.ts';
import type { Command } from './command.ts';
import { untilStopped } from './signals.ts';

export const worker: Command = {
  name: 'worker',
  summary: 'Run jobs only, beside servers on the same database.',
  options: {},
  async run(_given, output) {
    const config = readConfig();
    const log = createLog(config);
    const installation = await openInstallation({ config, log, exclusive: false, onCommit: () => undefined });
    try {
      const running = await startJobs(config, installation, log);
      output.result({ running: true }, 'Waiting for jobs.');
      await untilStopped(installation.lost);
      await running.stop();
    } finally {
      await installation.close();
    }
  },
};
