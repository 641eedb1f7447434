import { startBareServer } from './bare.ts';
import { COLD_START, coldStart, memoryAfterRun, type Check } from './checks.ts';
import type { Cleanup } from './cleanup.ts';
import { measure, type Measured } from './measure.ts';
import { isWanted, type Options } from './options.ts';
import type { Results } from './report.ts';
import { labelOf } from './row.ts';
import { rows } from './rows/index.ts';
import { startServer, temporaryFolder } from './server.ts';

type Progress = (text: string) => void;

export async function run(
  cleanup: Cleanup,
  options: Options,
  profileFolder: string | undefined,
  progress: Progress,
): Promise<Results> {
  const startedAt = new Date();
  const measured: Measured[] = [];
  const checks: Check[] = [];
  if (isWanted(options, COLD_START)) {
    progress(COLD_START);
    checks.push(await coldStart(cleanup, options));
  }
  const bareServer = await startBareServer(cleanup);
  for (const cache of ['on', 'off'] as const) {
    const wanted = rows.filter((row) => (row.cache ?? 'on') === cache && isWanted(options, labelOf(row)));
    if (wanted.length === 0) continue;
    const server = await startServer(cleanup, { folder: temporaryFolder(cleanup), cache, profileFolder });
    for (const row of wanted) {
      progress(labelOf(row));
      measured.push(await measure(row, server, bareServer, options));
    }
    checks.push(memoryAfterRun(server, cache));
    await server.stop();
  }
  return { startedAt, options, rows: measured, checks };
}
