import { createApi } from './api.ts';
import { startBareServer } from './bare.ts';
import type { Bench, Check, Checked } from './check.ts';
import { checks } from './checks/index.ts';
import { COLD_START, coldStart, memoryAfterRun } from './checks/program.ts';
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
  const checked: Checked[] = [];
  const problems: string[] = [];
  /** What fails is told at the end; a long run goes on with the rest. */
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

  if (isWanted(options, COLD_START)) {
    progress(COLD_START);
    checked.push(await coldStart(cleanup, options));
  }
  const bareServer = await startBareServer(cleanup);
  for (const cache of ['on', 'off'] as const) {
    const wanted = rows.filter((row) => (row.cache ?? 'on') === cache && isWanted(options, labelOf(row)));
    const wantedChecks = cache === 'on' ? checks.filter(({ name }) => isWanted(options, name)) : [];
    if (wanted.length + wantedChecks.length === 0) continue;
    const server = await startServer(cleanup, { folder: temporaryFolder(cleanup), cache, profileFolder });
    const api = createApi(server);
    for (const row of wanted) {
      const one = await attempt(labelOf(row), () => measure(row, server, api, bareServer, options));
      if (one) measured.push(one);
    }
    if (wanted.length > 0) checked.push(memoryAfterRun(server, cache));
    for (const check of wantedChecks) checked.push(await checkOf(check, { server, api, cleanup, options }));
    await server.stop();
  }
  return { startedAt, options, rows: measured, checks: checked, problems };
}
