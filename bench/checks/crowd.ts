import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { createApi, type Api, type Endpoint } from '../api.ts';
import { atMost, type Bench, type Check } from '../check.ts';
import { stopChild } from '../child.ts';
import type { Cleanup } from '../cleanup.ts';
import type { CrowdPlan } from '../crowd-client.ts';
import { quantile } from '../load.ts';
import { runCommand } from '../program.ts';
import { pageRequest, publishSite } from '../published-site.ts';
import type { RequestSpec } from '../row.ts';
import { startServer, temporaryFolder, type Server } from '../server.ts';
import { editPage, spaceOf } from '../space.ts';

/** What a crowd of one organization does to the requests of another one, on one server. */

/** Each measurement, without and with the crowd. */
const MEASURED_MS = 20_000;
/** Until the crowd has filled every queue. */
const SETTLE_MS = 5_000;
/** Requests of one kind at the same time, and the pause after each. */
const CONNECTIONS = 2;
const PAUSE_MS = 20;
const MAX_RATIO = 5;

const KINDS = ['page of its site', 'search of its site', 'search of a space', 'edit'] as const;
type Kind = (typeof KINDS)[number];

interface Measured {
  /** Milliseconds, of all requests. */
  readonly times: Map<Kind, number[]>;
  readonly failures: string[];
}

/** More text than stays parsed, so that each class of visitors takes long. */
const CONDITION = Array.from({ length: 20 }, (_each, n) => `visitor.claims.unsigned.n !== -${n + 1}`).join(
  ' && ',
);
const HOSTILE_PAGES = 800;
const BATCH = 50;
const GIT_SPACES = 20;

async function fillHostile(api: Api, space: string): Promise<string[]> {
  const pages: string[] = [];
  while (pages.length < HOSTILE_PAGES) {
    const changes = Array.from({ length: BATCH }, (_each, index) => ({
      operation: 'insert_page',
      title: `Page ${pages.length + index}`,
      document: { markdown: 'Words of a page that has a condition.' },
      // Every page but the first, so that the site has one.
      ...(pages.length + index === 0 ? {} : { condition: `${CONDITION} && ${pages.length + index} !== -1` }),
    }));
    const path = `/v1/spaces/${space}/content`;
    const inserted = await api.send<{ changes: { page: { id: string } }[] }>({
      method: 'POST',
      path,
      body: { changes },
    });
    pages.push(...inserted.changes.map(({ page }) => page.id));
  }
  return pages;
}

async function planCrowd(server: Server, api: Api): Promise<CrowdPlan> {
  const organization = await api.createOrganization();
  const addSpace = async (): Promise<string> => {
    const path = `/v1/orgs/${organization}/spaces`;
    const body = { title: 'Crowded', editMode: 'live' };
    return (await api.send<{ id: string }>({ method: 'POST', path, body })).id;
  };
  const space = await addSpace();
  const pages = await fillHostile(api, space);
  const site = await publishSite(api, { id: space, pages });
  const sites = `/v1/orgs/${organization}/sites`;
  const { items } = await api.send<{ items: { id: string }[] }>({ path: sites });
  await api.send({
    method: 'PATCH',
    path: `${sites}/${items[0]?.id}`,
    body: { adaptiveContent: { enabled: true } },
  });
  const gitSpaces: string[] = [];
  while (gitSpaces.length < GIT_SPACES) gitSpaces.push(await addSpace());
  const user = [
    '--email',
    'crowd@crowd.example',
    '--name',
    'Crowd',
    '--org',
    organization,
    '--role',
    'admin',
  ];
  const { result } = await runCommand<{ id: string }>(server.data, ['user', 'create', ...user]);
  const made = await runCommand<{ token: string }>(server.data, ['token', 'create', '--user', result.id]);
  return {
    url: server.url,
    token: made.result.token,
    organization,
    space,
    gitSpaces,
    site: site.path,
    siteSpace: site.siteSpaceId,
    pages,
  };
}

async function startCrowd(cleanup: Cleanup, plan: CrowdPlan): Promise<() => Promise<void>> {
  const child: ChildProcess = fork(new URL('../crowd-client.ts', import.meta.url), { detached: true });
  const stop = cleanup.add(() => stopChild(child));
  const started = once(child, 'message');
  child.send(plan);
  await started;
  return stop;
}

/** The requests of the organization that is measured. */
async function requestsOf(api: Api): Promise<Readonly<Record<Kind, (n: number) => RequestSpec>>> {
  const space = await spaceOf(api, 100);
  const site = await publishSite(api, space);
  // Another one, so that the site stays as it is.
  const edited = await spaceOf(api, 100);
  return {
    'page of its site': (n) => pageRequest(site.pages[n % site.pages.length] ?? ''),
    'search of its site': (n) => ({ path: `${site.path}/~octavo/search?q=page${n % 100}` }),
    'search of a space': (n) => ({ path: `/v1/spaces/${space.id}/search?query=page${n % 100}` }),
    edit: (n) => editPage(edited, n),
  };
}

let sent = 0;

async function measureFor(
  api: Api,
  requests: Awaited<ReturnType<typeof requestsOf>>,
  ms: number,
): Promise<Measured> {
  const measured: Measured = { times: new Map(KINDS.map((kind) => [kind, []])), failures: [] };
  const end = performance.now() + ms;
  const one = async (kind: Kind): Promise<void> => {
    while (performance.now() < end) {
      const begun = performance.now();
      await api
        .bytesOf(requests[kind](++sent))
        .catch((error: unknown) => measured.failures.push((error as Error).message));
      measured.times.get(kind)?.push(performance.now() - begun);
      await delay(PAUSE_MS);
    }
  };
  await Promise.all(KINDS.flatMap((kind) => Array.from({ length: CONNECTIONS }, () => one(kind))));
  return measured;
}

interface Compared {
  readonly usual: Measured;
  readonly crowded: Measured;
}

const p99 = ({ times }: Measured, kind: Kind): number =>
  quantile(
    (times.get(kind) ?? []).toSorted((a, b) => a - b),
    0.99,
  );

async function compare({ cleanup }: Bench): Promise<Compared> {
  const server = await startServer(cleanup, { folder: temporaryFolder(cleanup), cache: 'on' });
  const endpoint: Endpoint = server;
  const api = createApi(endpoint);
  const plan = await planCrowd(server, api);
  const requests = await requestsOf(api);
  // Warms up the server.
  await measureFor(api, requests, SETTLE_MS);
  const usual = await measureFor(api, requests, MEASURED_MS);
  const stop = await startCrowd(cleanup, plan);
  await delay(SETTLE_MS);
  const crowded = await measureFor(api, requests, MEASURED_MS);
  await stop();
  await server.stop();
  for (const kind of KINDS)
    process.stderr.write(
      `  ${kind}: p99 ${p99(usual, kind).toFixed(1)} ms, with the crowd ${p99(crowded, kind).toFixed(1)} ms ` +
        `(${usual.times.get(kind)?.length} and ${crowded.times.get(kind)?.length} requests)\n`,
    );
  for (const failure of new Set([...usual.failures, ...crowded.failures]))
    process.stderr.write(`  ${failure}\n`);
  return { usual, crowded };
}

/** One comparison for all checks of a run. */
const compared = new WeakMap<Bench['cleanup'], Promise<Compared>>();

function comparedIn(bench: Bench): Promise<Compared> {
  const found = compared.get(bench.cleanup) ?? compare(bench);
  compared.set(bench.cleanup, found);
  return found;
}

const NAME = 'attack: a crowd of one organization';

export const crowdChecks: readonly Check[] = [
  ...KINDS.map((kind): Check => ({
    name: `${NAME}: p99 of another one, relative to usual, ${kind}`,
    aim: atMost(MAX_RATIO, 'x'),
    measure: async (bench) => {
      const { usual, crowded } = await comparedIn(bench);
      return p99(crowded, kind) / p99(usual, kind);
    },
  })),
  {
    name: `${NAME}: failed requests of another one`,
    aim: atMost(0, 'wrong'),
    measure: async (bench) => {
      const { usual, crowded } = await comparedIn(bench);
      return usual.failures.length + crowded.failures.length;
    },
  },
];
