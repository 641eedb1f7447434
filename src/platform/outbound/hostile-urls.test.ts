import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { PUBLIC, RECORDS } from '../../../test/hostile-names.ts';
import { HOSTILE_LOCATIONS, HOSTILE_URLS } from '../../../test/hostile-urls.ts';
import { dialTcp } from './connect.ts';
import { createOutbound, type Outbound, OutboundError } from './index.ts';

const LIMITS = { maxBytes: 1000, timeoutMs: 120_000 };

let canary: Server;
let redirector: Server;
let port: number;
let connections: number;
let dialled: string[];
let location: string;
let status: number;

beforeAll(async () => {
  canary = createServer((_request, response) => response.end('reached'));
  canary.on('connection', () => connections++);
  await new Promise<void>((resolve) => canary.listen(0, '::', resolve));
  port = (canary.address() as AddressInfo).port;
  redirector = createServer((_request, response) => response.writeHead(status, { location }).end());
  await new Promise<void>((resolve) => redirector.listen(0, '127.0.0.1', resolve));
});

afterAll(() => {
  canary.close();
  redirector.close();
});

beforeEach(() => {
  connections = 0;
  dialled = [];
});

/** Really connects, so that the listeners see what the guard lets through. */
function anOutbound(resolve = (hostname: string) => RECORDS[hostname] ?? []): Outbound {
  return createOutbound({
    // The port is opened for another host, so that it is never the port which protects the canary.
    allow: [`elsewhere.example:${port}`, `redirector.example:${redirectorPort()}`],
    ownAddresses: [],
    resolve: (hostname) =>
      Promise.resolve(hostname === 'redirector.example' ? ['127.0.0.1'] : resolve(hostname)),
    dial: (address, to) => {
      dialled.push(`${address} ${to}`);
      return dialTcp(address, to);
    },
  });
}

const redirectorPort = () => (redirector.address() as AddressInfo).port;
const written = (url: string) => url.replaceAll('PORT', String(port));

async function expectBlocked(request: Promise<unknown>, url: string): Promise<void> {
  const error = await request.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error, url).toBeInstanceOf(OutboundError);
  expect((error as OutboundError).reason, `${url}: ${String(error)}`).toBe('blocked');
}

describe('hostile addresses', () => {
  it('are at least 150, all different', () => {
    expect(new Set(HOSTILE_URLS).size).toBe(HOSTILE_URLS.length);
    expect(HOSTILE_URLS.length).toBeGreaterThanOrEqual(150);
  });

  it('would reach the listener, were it allowed', async () => {
    const open = createOutbound({ allow: [`127.0.0.0/8:${port}`, `[::1]:${port}`], ownAddresses: [] });
    for (const url of ['http://127.0.0.1:PORT/', 'http://2130706433:PORT/', 'http://[::1]:PORT/']) {
      expect((await open.fetch(written(url), LIMITS)).body.toString()).toBe('reached');
    }
    expect(connections).toBe(3);
  });

  it.each(HOSTILE_URLS)('%j', async (url) => {
    await expectBlocked(anOutbound().fetch(written(url), LIMITS), url);
    expect(dialled).toEqual([]);
    expect(connections).toBe(0);
  });

  it('are not revealed: no message says more than that the address is not public', async () => {
    const error = await anOutbound()
      .check('http://private.example/')
      .catch((thrown: Error) => thrown);
    expect(String(error)).toContain('private.example is not a public address');
    expect(String(error)).not.toContain('10.1.2.3');
  });
});

it('an address that is allowed on other ports says that the port must be listed', async () => {
  const open = createOutbound({ allow: ['10.0.0.1'], ownAddresses: [] });
  const messageOf = (url: string) => open.check(url).catch(String);
  expect(await messageOf('http://10.0.0.1:8080/')).toMatch(
    /OCTAVO_OUTBOUND_ALLOW as host:port \(port 8080\)/,
  );
  expect(await messageOf('http://10.0.0.2/')).toMatch(/OCTAVO_OUTBOUND_ALLOW\.$/);
});

describe('redirects to hostile addresses', () => {
  it.each(HOSTILE_LOCATIONS)('%j', async (url) => {
    location = written(url);
    status = [301, 302, 303, 307, 308][url.length % 5] ?? 302;
    await expectBlocked(anOutbound().fetch(`http://redirector.example:${redirectorPort()}/`, LIMITS), url);
    expect(dialled).toEqual([`127.0.0.1 ${redirectorPort()}`]);
    expect(connections).toBe(0);
  });
});

describe('a name whose answer changes', () => {
  it('is resolved once, and connected to as it was checked', async () => {
    let asked = 0;
    const rebinding = () => (asked++ % 2 === 0 ? [PUBLIC] : ['127.0.0.1']);
    const outbound = createOutbound({
      allow: [],
      ownAddresses: [],
      resolve: () => Promise.resolve(rebinding()),
      dial: (address, to) => {
        dialled.push(`${address} ${to}`);
        return dialTcp('127.0.0.1', port);
      },
    });
    for (let round = 0; round < 6; round++) {
      await expectBlocked(outbound.fetch('http://rebinding.example/', LIMITS), `round ${round}`);
    }
    expect(asked).toBe(6);
    expect(dialled).toEqual([`${PUBLIC} 80`, `${PUBLIC} 80`, `${PUBLIC} 80`]);
  });

  it('is checked again after a redirect to itself', async () => {
    const answers = [['127.0.0.1'], [PUBLIC, '127.0.0.1']];
    location = `http://redirector.example:${redirectorPort()}/again`;
    const outbound = createOutbound({
      allow: [`127.0.0.1:${redirectorPort()}`],
      ownAddresses: [],
      resolve: () => Promise.resolve(answers.shift() ?? []),
      dial: (address, to) => {
        dialled.push(`${address} ${to}`);
        return dialTcp(address, to);
      },
    });
    await expectBlocked(outbound.fetch(location, LIMITS), location);
    expect(dialled).toHaveLength(1);
  });

  it('gets no byte when the connection leads elsewhere', async () => {
    let received = 0;
    canary.once('connection', (socket) => socket.on('data', (chunk) => (received += chunk.length)));
    const outbound = createOutbound({
      allow: [],
      ownAddresses: [],
      resolve: () => Promise.resolve([PUBLIC]),
      dial: () => dialTcp('127.0.0.1', port),
    });
    await expectBlocked(outbound.fetch('https://public.example/', LIMITS), 'https');
    await expectBlocked(outbound.fetch(`http://${PUBLIC}/`, LIMITS), 'literal');
    expect(received).toBe(0);
  });
});
