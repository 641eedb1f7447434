import { brotliCompressSync } from 'node:zlib';
import { fill, insertPages, MB, refused, times, type Attack } from '../attack.ts';
import { atMost, type Aim, type Bench, type Check } from '../check.ts';
import type { Cleanup } from '../cleanup.ts';
import { createSpace } from '../space.ts';
import { attack, startVictim, type Harm, type Hostile, type Victim } from '../victim.ts';
import { collaborationAttacks } from './collaboration-attacks.ts';
import { contentAttacks } from './content-attacks.ts';
import { readPages, siteAttacks } from './site-attacks.ts';

/** Hostile requests: none may block the event loop, use much memory, or cause a server error. */

/** A small server must survive. */
const HEAP_MB = 1024;

const unauthenticated: Attack = {
  name: '1 MB of JSON without a token, 8 times',
  run: async ({ server }) => {
    const hostile: Hostile = {
      path: '/v1/spaces/x/content',
      body: `{"changes":[${fill('{"operation":"x"},', MB - 100)}{}]}`,
      isSignedIn: false,
    };
    return (await times(8, () => attack(server, hostile))).map(refused);
  },
};

const brotliBomb: Attack = {
  name: '64 MB of blanks as 100 bytes of brotli, 8 times',
  run: async ({ api, server }) => {
    const path = `/v1/spaces/${await createSpace(api)}/content`;
    const body = brotliCompressSync(Buffer.alloc(64 * MB, ' '));
    const hostile = { path, body, headers: { 'content-encoding': 'br' } };
    const unknown = { ...hostile, isSignedIn: false };
    const all = await times(8, (index) => attack(server, index % 2 === 0 ? hostile : unknown));
    return all.map(refused);
  },
};

const attacks: readonly Attack[] = [
  unauthenticated,
  ...contentAttacks,
  ...siteAttacks,
  ...collaborationAttacks,
  brotliBomb,
];

const victims = new WeakMap<Cleanup, Promise<{ victim: Victim; memoryBefore: number }>>();

/** One server for all attacks, started with the first of them. */
function victimOf({ cleanup }: Bench) {
  let found = victims.get(cleanup);
  if (!found) {
    found = startVictim(cleanup, HEAP_MB).then(async (victim) => {
      // Warms up the server: compiled code and caches are not counted as growth.
      await insertPages(victim, 'Some *text*.\n\n'.repeat(10_000));
      await readPages(victim, ['Some *text*.']);
      return { victim, memoryBefore: await victim.memory() };
    });
    victims.set(cleanup, found);
  }
  return found;
}

/** Each attack runs once for all its checks. */
function checksOf({ name, run }: Attack): Check[] {
  let harm: Promise<Harm> | undefined;
  const figure = (what: string, aim: Aim, of: (harm: Harm) => number): Check => ({
    name: `attack: ${name}: ${what}`,
    aim,
    measure: async (bench) => {
      const { victim } = await victimOf(bench);
      return of(await (harm ??= victim.observe(() => run(victim))));
    },
  });
  return [
    figure('longest event-loop delay', atMost(200, 'ms'), ({ loopDelayMs }) => loopDelayMs),
    figure('peak memory', atMost(600, 'MB'), ({ peakMb }) => peakMb),
    figure('unexpected responses', atMost(0, 'wrong'), ({ wrong }) => wrong),
  ];
}

const memoryAfter: Check = {
  name: 'attack: memory growth after all attacks',
  aim: atMost(100, 'MB'),
  measure: async (bench) => {
    const { victim, memoryBefore } = await victimOf(bench);
    return (await victim.memory()) - memoryBefore;
  },
};

export const attackChecks: readonly Check[] = [...attacks.flatMap(checksOf), memoryAfter];
