import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RECORDS } from '../../../../test/hostile-names.ts';
import { HOSTILE_LOCATIONS, HOSTILE_URLS } from '../../../../test/hostile-urls.ts';
import { redirectTo, respond, serveSite, type Handler, type ServedSite } from '../../../../test/site.ts';
import { dialTcp } from '../../../platform/outbound/connect.ts';
import { createOutbound, type OutboundOptions } from '../../../platform/outbound/index.ts';
import { checkHosts } from './check-hosts.ts';
import { requestUrl, type Verdict } from './check-url.ts';

const never = new AbortController().signal;

/** Counts the bytes of bodies that are sent, to prove that they are not read. */
const large: Handler = (request, response) => {
  response.writeHead(200, { 'content-type': 'text/plain' });
  if (request.method === 'HEAD') return void response.end();
  const chunk = Buffer.alloc(64 * 1024);
  const write = () => {
    while (!response.destroyed && response.write(chunk)) sent += chunk.length;
  };
  response.on('drain', write);
  write();
};
let sent = 0;

const refusesHead =
  (status: number, then: number): Handler =>
  (request, response) =>
    response.writeHead(request.method === 'HEAD' ? status : then).end();

const SITE: Readonly<Record<string, Handler>> = {
  '/ok': respond(200),
  '/none': respond(204),
  '/missing': respond(404),
  '/gone': respond(410),
  '/broken': respond(500),
  '/login': respond(401),
  '/forbidden': respond(403),
  '/strange': respond(999),
  '/many': respond(429, { 'retry-after': '2' }),
  '/busy': respond(503),
  '/moved': redirectTo('/ok', 301),
  '/moved-away': redirectTo('/missing'),
  '/loop': redirectTo('/loop'),
  '/no-head-405': refusesHead(405, 200),
  '/no-head-404': refusesHead(404, 200),
  '/no-head-403': refusesHead(403, 404),
  '/drops-head': (request, response) =>
    request.method === 'HEAD' ? void request.socket.destroy() : void response.writeHead(200).end(),
  '/drops': (request) => void request.socket.destroy(),
  '/large': (request, response) => (request.method === 'HEAD' ? respond(405) : large)(request, response),
};

let site: ServedSite;
let slow: Server;
const methods: string[] = [];

beforeAll(async () => {
  const recorded = Object.entries(SITE).map(([path, handler]): [string, Handler] => [
    path,
    (request, response) => {
      methods.push(`${request.method} ${path}`);
      handler(request, response);
    },
  ]);
  site = await serveSite(Object.fromEntries(recorded));
  slow = createServer(() => undefined);
  await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  slow.closeAllConnections();
  slow.close();
});

const outboundTo = (options: Partial<OutboundOptions> = {}) =>
  createOutbound({ allow: ['127.0.0.1:*'], ownAddresses: [], ...options });

/** The verdict on one URL, as the check of a space finds it. */
async function check(url: string, outbound = outboundTo()): Promise<Verdict> {
  const verdicts: Verdict[] = [];
  await checkHosts([{ target: new URL(url) }], {
    signal: never,
    pauseMs: 0,
    request: (method, target, signal) => requestUrl(outbound, method, target, signal),
    onResult: async (_target, verdict) => void verdicts.push(verdict),
  });
  expect(verdicts).toHaveLength(1);
  return verdicts[0] as Verdict;
}

const shown = ({ isBroken, problem }: Verdict) => `${isBroken ? 'broken' : 'ok'}: ${problem ?? '-'}`;

describe('a URL', () => {
  it.each([
    ['/ok', 'ok: -'],
    ['/none', 'ok: -'],
    ['/missing', 'broken: 404 Not Found'],
    ['/gone', 'broken: 410 Gone'],
    ['/broken', 'ok: 500 Internal Server Error'],
    ['/login', 'ok: 401 Unauthorized'],
    ['/forbidden', 'ok: 403 Forbidden'],
    ['/strange', 'ok: 999'],
    ['/many', 'ok: 429 Too Many Requests'],
    ['/busy', 'ok: 503 Service Unavailable'],
    ['/moved', 'ok: -'],
    ['/moved-away', 'broken: 404 Not Found'],
    ['/loop', 'ok: 127.0.0.1 redirects more than 3 times. Send the final URL.'],
    ['/no-head-405', 'ok: -'],
    ['/no-head-404', 'ok: -'],
    ['/no-head-403', 'broken: 404 Not Found'],
    ['/drops-head', 'ok: -'],
    ['/drops', 'ok: 127.0.0.1 cannot be reached. Check the URL, or try later.'],
  ])('%s is %s', async (path, expected) => {
    expect(shown(await check(site.url + path))).toBe(expected);
  });

  it('is requested with HEAD, and with GET only where that may differ', async () => {
    const sentFor = async (path: string) => {
      methods.length = 0;
      await check(site.url + path);
      return methods;
    };
    expect(await sentFor('/ok')).toEqual(['HEAD /ok']);
    expect(await sentFor('/many')).toEqual(['HEAD /many']);
    expect(await sentFor('/missing')).toEqual(['HEAD /missing', 'GET /missing']);
    expect(await sentFor('/moved')).toEqual(['HEAD /moved', 'HEAD /ok']);
  });

  it('of a large file is not downloaded', async () => {
    expect(shown(await check(`${site.url}/large`))).toBe('ok: -');
    // The buffers of both sockets hold this much.
    expect(sent).toBeLessThan(32 * 1024 * 1024);
    await expect.poll(() => site.connections()).toBe(0);
  });

  it('of a host that does not respond is not broken', async () => {
    const { port } = slow.address() as AddressInfo;
    const impatient = outboundTo();
    const verdict = await requestUrl(
      { ...impatient, stream: (url, request) => impatient.stream(url, { ...request, timeoutMs: 50 }) },
      'HEAD',
      new URL(`http://127.0.0.1:${port}/`),
      never,
    );
    expect(verdict).toMatchObject({ isBroken: false, isOverloaded: true });
    expect(verdict.problem).toMatch(/did not respond in full within/);
  });

  it('of a host that refuses connections twice is broken', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    expect(shown(await check(`http://127.0.0.1:${port}/`))).toMatch(/^broken: 127.0.0.1 cannot be reached/);
    let dialled = 0;
    const restarting = outboundTo({
      dial: (address) => dialTcp(address, dialled++ === 0 ? port : site.port),
    });
    expect(shown(await check(`http://127.0.0.1:${site.port}/ok`, restarting))).toBe('ok: -');
  });

  it('of an unknown host is broken, unless the name servers fail', async () => {
    const unknown = outboundTo({ resolve: () => Promise.resolve([]) });
    expect(shown(await check('https://unknown.example/', unknown))).toBe(
      'broken: The host unknown.example does not exist. Check the URL.',
    );
    const offline = outboundTo({ resolve: () => Promise.reject(new Error('SERVFAIL')) });
    expect(shown(await check('https://known.example/', offline))).toMatch(/^ok: known.example cannot be/);
  });

  it('is not requested again when the check is aborted', async () => {
    const { port } = slow.address() as AddressInfo;
    const aborting = new AbortController();
    const checking = requestUrl(outboundTo(), 'HEAD', new URL(`http://127.0.0.1:${port}/`), aborting.signal);
    aborting.abort();
    await expect(checking).rejects.toThrow('aborted');
  });
});

describe('several URLs', () => {
  const checkAll = async (
    urls: readonly string[],
    request: (url: URL) => Promise<Verdict>,
    pauseMs = 0,
  ): Promise<string[]> => {
    const results: string[] = [];
    await checkHosts(
      urls.map((url) => ({ target: new URL(url) })),
      {
        signal: never,
        pauseMs,
        request: (_method, url) => request(url),
        onResult: async ({ target }, verdict) => void results.push(`${target.pathname} ${shown(verdict)}`),
      },
    );
    return results;
  };
  const numbered = (host: string, count: number) =>
    Array.from({ length: count }, (_each, n) => `https://${host}/${n}`);

  it('of one host are requested one after another, those of eight hosts at the same time', async () => {
    const running = new Map<string, number>();
    const most = { ofHost: 0, ofAll: 0 };
    const urls = Array.from({ length: 20 }, (_each, n) => numbered(`h${n}.example`, 3)).flat();
    const results = await checkAll(urls, async ({ host }) => {
      running.set(host, (running.get(host) ?? 0) + 1);
      const counts = [...running.values()];
      most.ofHost = Math.max(most.ofHost, ...counts);
      most.ofAll = Math.max(
        most.ofAll,
        counts.reduce((sum, each) => sum + each, 0),
      );
      await new Promise((resolve) => setTimeout(resolve, 1));
      running.set(host, (running.get(host) ?? 0) - 1);
      return { isBroken: false };
    });
    expect(results).toHaveLength(60);
    expect(most).toEqual({ ofHost: 1, ofAll: 8 });
  });

  it('of one host are requested with a pause, and after the time that it asks for', async () => {
    const starts: number[] = [];
    await checkAll(
      numbered('a.example', 3),
      async () => {
        starts.push(performance.now());
        return starts.length === 2
          ? { isBroken: false, retryMs: 80, isOverloaded: true }
          : { isBroken: false };
      },
      20,
    );
    const [first = 0, second = 0, third = 0] = starts;
    // Half of it: timers may fire early, and never too early under load.
    expect(second - first).toBeGreaterThan(10);
    expect(third - second).toBeGreaterThan(40);
  });

  it('of a host that refuses three times are left alone', async () => {
    let requests = 0;
    const results = await checkAll([...numbered('a.example', 6), 'https://b.example/x'], async ({ host }) => {
      if (host === 'b.example') return { isBroken: false };
      requests++;
      return { isBroken: false, problem: '429 Too Many Requests', isOverloaded: true, retryMs: 0 };
    });
    expect(requests).toBe(3);
    expect(results.filter((each) => each.endsWith('Not checked: 429 Too Many Requests'))).toHaveLength(3);
    expect(results).toContain('/x ok: -');
  });

  it('end with the first error, and none is requested afterwards', async () => {
    let requests = 0;
    const failing = checkAll(numbered('a.example', 5), async () => {
      requests++;
      throw new Error('of ours');
    });
    await expect(failing).rejects.toThrow('of ours');
    expect(requests).toBe(1);
  });
});

describe('hostile URLs', () => {
  let canary: Server;
  let port: number;
  let connections = 0;

  beforeAll(async () => {
    canary = createServer((_request, response) => response.end('reached'));
    canary.on('connection', () => connections++);
    await new Promise<void>((resolve) => canary.listen(0, '::', resolve));
    port = (canary.address() as AddressInfo).port;
  });
  afterAll(() => canary.close());

  const written = (url: string) => url.replaceAll('PORT', String(port));

  function guarded(redirectorPort?: number) {
    const dialled: string[] = [];
    const outbound = createOutbound({
      // The port is opened for another host, so that it is never the port that protects the canary.
      allow: [`elsewhere.example:${port}`, ...(redirectorPort ? [`site.example:${redirectorPort}`] : [])],
      ownAddresses: [],
      resolve: (hostname) =>
        Promise.resolve(hostname === 'site.example' ? ['127.0.0.1'] : (RECORDS[hostname] ?? [])),
      dial: (address, to) => {
        dialled.push(`${address} ${to}`);
        return dialTcp(address, to);
      },
    });
    return { outbound, dialled };
  }

  it('are at least 150, and the listener can be reached', async () => {
    expect(HOSTILE_URLS.length).toBeGreaterThanOrEqual(150);
    expect(HOSTILE_LOCATIONS.length).toBeGreaterThanOrEqual(150);
    await new Promise<void>((resolve) => connect(port, '127.0.0.1').once('close', resolve).end());
    expect(connections).toBe(1);
    connections = 0;
  });

  it('are not requested', async () => {
    const { outbound, dialled } = guarded();
    let requested = 0;
    for (const url of HOSTILE_URLS.map(written)) {
      // Like a target: a URL that cannot be parsed has no address, and is not checked.
      if (!URL.canParse(url, 'https://-')) continue;
      const target = new URL(url, 'https://-');
      if (target.protocol !== 'http:' && target.protocol !== 'https:') continue;
      requested++;
      const verdict = await requestUrl(outbound, 'GET', target, never);
      expect(verdict, url).toEqual({ isBroken: false, problem: expect.stringMatching(/^Not checked: /) });
    }
    expect(requested).toBeGreaterThan(150);
    expect([dialled, connections]).toEqual([[], 0]);
  });

  it('are not requested as targets of redirects', async () => {
    let location = '';
    const redirector = await serveSite({
      '/': (request, response) => redirectTo(written(location))(request, response),
    });
    const { outbound, dialled } = guarded(redirector.port);
    for (location of HOSTILE_LOCATIONS) {
      const verdict = await requestUrl(
        outbound,
        'HEAD',
        new URL(`http://site.example:${redirector.port}/`),
        never,
      );
      expect(verdict, location).toEqual({
        isBroken: false,
        problem: expect.stringMatching(/^Not checked: /),
      });
    }
    expect(new Set(dialled)).toEqual(new Set([`127.0.0.1 ${redirector.port}`]));
    expect(connections).toBe(0);
  });
});
