import { setTimeout as delay } from 'node:timers/promises';
import { atMost, type Checked } from '../check.ts';
import { residentMemoryOfAll } from '../child.ts';
import type { Cleanup } from '../cleanup.ts';
import { median } from '../load.ts';
import type { Options } from '../options.ts';
import { COLLECT_MS, waitForIdle } from '../idle.ts';
import type { CacheMode } from '../row.ts';
import { startServer, temporaryFolder, type Server } from '../server.ts';

const STARTS = 3;

export const COLD_START = 'cold start on existing data';

/** From starting the program to the first 200 with a token. Not counting the first start, which creates the database. */
export async function coldStart(cleanup: Cleanup, { wait }: Options): Promise<Checked> {
  const folder = temporaryFolder(cleanup);
  await (await startServer(cleanup, { folder, cache: 'on' })).stop();
  const times: number[] = [];
  for (let i = 0; i < STARTS; i++) {
    await waitForIdle(wait);
    const server = await startServer(cleanup, { folder, cache: 'on' });
    times.push(server.startedInMs / 1000);
    await server.stop();
  }
  return { name: COLD_START, value: median(times), aim: atMost(1.5, 's') };
}

export async function memoryAfterRun(server: Server, cache: CacheMode): Promise<Checked> {
  await delay(COLLECT_MS);
  return {
    name: `memory after the run, cache ${cache}`,
    value: residentMemoryOfAll(server.pid) / 2 ** 20,
    aim: atMost(300, 'MB'),
  };
}
