/** A hostile crowd of one organization, in a process of its own: sends requests until it is stopped. */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { attack, type Hostile } from './victim.ts';

export interface CrowdPlan {
  readonly url: string;
  /** Of an admin of the organization. */
  readonly token: string;
  readonly organization: string;
  readonly space: string;
  /** Spaces to connect to a Git server that never answers. */
  readonly gitSpaces: readonly string[];
  /** The path of an adaptive site, and its pages. */
  readonly site: string;
  readonly siteSpace: string;
  readonly pages: readonly string[];
}

/** Between two requests of one member of the crowd. */
const PAUSE_MS = 100;
/** After which a reader who does not wait leaves. */
const LEAVE_MS = 100;

let sent = 0;
let visitors = 0;
/** The cookie of a visitor with new claims: no cache has an answer for them. */
const newVisitor = (): string =>
  `octavo-visitor-public=${encodeURIComponent(JSON.stringify({ n: ++visitors }))}`;

/** Accepts connections and never answers. */
async function startSilentServer(): Promise<string> {
  const server = createServer((socket) => socket.on('error', () => undefined));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function abortedRead({ url, site }: CrowdPlan): Promise<void> {
  const { hostname, port, host } = new URL(url);
  const socket = connect(Number(port), hostname).on('error', () => undefined);
  socket.write(`GET ${site}/ HTTP/1.1\r\nHost: ${host}\r\nCookie: ${newVisitor()}\r\n\r\n`);
  await delay(LEAVE_MS);
  socket.destroy();
}

type Act = (plan: CrowdPlan, n: number, silent: string) => Promise<unknown>;

const asVisitor = (plan: CrowdPlan, path: string, more: Partial<Hostile> = {}): Promise<unknown> =>
  attack(plan, {
    method: 'GET',
    path: plan.site + path,
    isSignedIn: false,
    ...more,
    headers: { accept: 'text/html', cookie: newVisitor(), ...more.headers },
  });

const pageAt = ({ pages }: CrowdPlan, n: number): string => pages[n % pages.length] ?? '';

/** What members of the crowd do, and how many of them. */
const CROWD: readonly (readonly [members: number, act: Act])[] = [
  [40, abortedRead],
  [20, (plan, n) => asVisitor(plan, `/~octavo/search?q=page+${n}`)],
  [
    20,
    (plan, n) =>
      attack(plan, { method: 'GET', path: `/v1/orgs/${plan.organization}/search?query=page%20${n}` }),
  ],
  [
    20,
    (plan, n) =>
      asVisitor(plan, '/~octavo/feedback', {
        method: 'POST',
        body: `space=${plan.siteSpace}&page=${pageAt(plan, n)}&rating=good`,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      }),
  ],
  [20, (plan, n) => asVisitor(plan, `/~octavo/og/${plan.siteSpace}/${pageAt(plan, n)}.png`)],
  [
    10,
    (plan, n) =>
      asVisitor(plan, `/~octavo/pdf/${plan.siteSpace}/${pageAt(plan, n)}.pdf`, { headers: { cookie: '' } }),
  ],
  [
    10,
    (plan, n, silent) =>
      attack(plan, {
        path: `/v1/spaces/${plan.space}/content/import`,
        body: JSON.stringify({ url: `${silent}/${n}`, source: 'website' }),
      }),
  ],
  [
    5,
    (plan, n, silent) =>
      attack(plan, {
        path: `/v1/org/${plan.organization}/imports`,
        body: JSON.stringify({
          source: { type: 'website', url: `${silent}/run/${n}` },
          target: { space: plan.space },
        }),
      }),
  ],
  [
    5,
    (plan, n, silent) =>
      attack(plan, {
        method: 'PUT',
        path: `/v1/spaces/${plan.gitSpaces[n % plan.gitSpaces.length]}/git/sync`,
        body: JSON.stringify({ url: `${silent}/${n}.git`, ref: 'refs/heads/main' }),
      }),
  ],
];

async function actForEver(plan: CrowdPlan, act: Act, silent: string): Promise<never> {
  for (;;) {
    await act(plan, ++sent, silent).catch(() => undefined);
    await delay(PAUSE_MS);
  }
}

process.on('disconnect', () => process.exit());
const [plan] = (await once(process, 'message')) as [CrowdPlan];
const silent = await startSilentServer();
for (const [members, act] of CROWD)
  for (let member = 0; member < members; member++) void actForEver(plan, act, silent);
process.send?.('started');
