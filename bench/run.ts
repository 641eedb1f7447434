import { createApi } from './api.ts';
import { startBareServer } from './spawn-bare-server.ts';
import type { Bench, Check, Checked } from './check.ts';
import { checks } from './checks/index.ts';
import { COLD_START, coldStart, memoryAfterRun } from './checks/program.ts';
import type { Cleanup } from './cleanup.ts';
import { measure, type Measured } from './measure.ts';
import { isSelected, type Options } from './options.ts';
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
  const checked: Checked[] = [];
  const problems: string[] = [];
  /** Failures are reported at the end; a long run continues with the rest. */
  const attempt = async <T>(name: string, work: () => Promise<T>): Promise<T | undefined> => {
    progress(name);
    try {
      return await work();
    } catch (error) {
      problems.push(`${name}: ${(error as Error).message}`);
      return undefined;
    }
  };
  const checkOf = async ({ name, aim, measure }: Check, bench: Bench): Promise<Checked> => ({
    name,
    aim,
    value: await attempt(name, () => measure(bench)),
  });

  if (isSelected(options, COLD_START)) {
    progress(COLD_START);
    checked.push(await coldStart(cleanup, options));
  }
  const bareServer = await startBareServer(cleanup);
  for (const cache of ['on', 'off'] as const) {
    const selectedRows = rows.filter(
      (row) => (row.cache ?? 'on') === cache && isSelected(options, labelOf(row)),
    );
    const selectedChecks = cache === 'on' ? checks.filter(({ name }) => isSelected(options, name)) : [];
    if (selectedRows.length + selectedChecks.length === 0) continue;
    const server = await startServer(cleanup, { folder: temporaryFolder(cleanup), cache, profileFolder });
    const api = createApi(server);
    for (const row of selectedRows) {
      const one = await attempt(labelOf(row), () => measure(row, server, api, bareServer, options));
      if (one) measured.push(one);
    }
    if (selectedRows.length > 0) checked.push(await memoryAfterRun(server, cache));
    for (const check of selectedChecks) checked.push(await checkOf(check, { server, api, cleanup, options }));
    await server.stop();
  }
  return { startedAt, options, rows: measured, checks: checked, problems };
}
