import { sample, type Api, type Sample } from './api.ts';
import type { BareServer } from './spawn-bare-server.ts';
import { residentMemory } from './child.ts';
import { load, median, type Round } from './load.ts';
import type { Options } from './options.ts';
import { waitForIdle } from './idle.ts';
import { CONNECTIONS, labelOf, type RequestSource, type Row } from './row.ts';
import type { Server } from './server.ts';

export interface Measured {
  readonly row: Row;
  readonly label: string;
  readonly connections: number;
  /** Of a response. */
  readonly bytes: number;
  readonly ours: Figures;
  readonly bare: Figures;
  /** The median of the ratios of adjacent rounds, which have the same noise. */
  readonly ratio: number;
  readonly memory: number | undefined;
  readonly failures: Readonly<Record<string, number>>;
}

export interface Figures extends Omit<Round, 'failures'> {
  readonly rounds: readonly Round[];
}

const WARM_UP_SECONDS = 2;
const SAMPLES = 5;

export async function measure(
  row: Row,
  server: Server,
  api: Api,
  bareServer: BareServer,
  { rounds, seconds, wait }: Options,
): Promise<Measured> {
  const source = await row.setup(api);
  let count = 0;
  const next = () => count++;
  const answer = await typicalAnswer(server, source, row.status, next);
  await bareServer.imitate(answer);

  const connections = row.connections ?? CONNECTIONS;
  const bare = { url: bareServer.url, pid: bareServer.pid, token: server.token };
  const run = async (endpoint: typeof bare, duration: number) => {
    await waitForIdle(wait);
    return load({ endpoint, source, connections, expected: row.status, seconds: duration, next });
  };

  const warmUp = [await run(bare, WARM_UP_SECONDS), await run(server, WARM_UP_SECONDS)];
  const pairs: { bare: Round; ours: Round }[] = [];
  for (let i = 0; i < rounds; i++) {
    pairs.push({ bare: await run(bare, seconds), ours: await run(server, seconds) });
  }
  const all = [...warmUp, ...pairs.flatMap(({ bare, ours }) => [bare, ours])];
  return {
    row,
    label: labelOf(row),
    connections,
    bytes: answer.body.length,
    ours: figuresOf(pairs.map(({ ours }) => ours)),
    bare: figuresOf(pairs.map(({ bare }) => bare)),
    ratio: median(pairs.map(({ ours, bare }) => ours.perSecond / bare.perSecond)),
    memory: residentMemory(server.pid),
    failures: sumOf(all.map(({ failures }) => failures)),
  };
}

/** Responses to different requests differ in length: the bare server sends that of the middle. */
async function typicalAnswer(
  server: Server,
  source: RequestSource,
  expected: number | undefined,
  next: () => number,
): Promise<Sample> {
  if (typeof source !== 'function') return sample(server, source, expected);
  const samples: Sample[] = [];
  for (let i = 0; i < SAMPLES; i++) samples.push(await sample(server, source(next()), expected));
  const sorted = samples.toSorted((a, b) => a.body.length - b.body.length);
  return sorted[Math.floor(SAMPLES / 2)] as Sample;
}

const figuresOf = (rounds: readonly Round[]): Figures => ({
  perSecond: median(rounds.map((round) => round.perSecond)),
  p50: median(rounds.map((round) => round.p50)),
  p99: median(rounds.map((round) => round.p99)),
  cpu: median(rounds.map((round) => round.cpu)),
  rounds,
});

function sumOf(counts: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const sum: Record<string, number> = {};
  for (const [name, count] of counts.flatMap((one) => Object.entries(one)))
    sum[name] = (sum[name] ?? 0) + count;
  return sum;
}
