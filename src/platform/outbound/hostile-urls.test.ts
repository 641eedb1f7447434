import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { dialTcp } from './connect.ts';
import { createOutbound, type Outbound, OutboundError } from './index.ts';

/** `PORT` stands for the port of a listener on every address of this machine, and is not what the guard refuses. */
const LITERALS = [
  // Loopback in every notation that some parser takes.
  'http://127.0.0.1:PORT/',
  'http://127.0.0.1/',
  'https://127.0.0.1/',
  'http://127.0.0.1.:PORT/',
  'http://127.1:PORT/',
  'http://127.0.1:PORT/',
  'http://127.255.255.254:PORT/',
  'http://127.8.8.8:PORT/',
  'http://2130706433:PORT/',
  'http://2130706433.:PORT/',
  'http://0x7f000001:PORT/',
  'http://0X7F000001:PORT/',
  'http://0x7f.1:PORT/',
  'http://0x7f.0x0.0x0.0x1:PORT/',
  'http://017700000001:PORT/',
  'http://0177.0.0.1:PORT/',
  'http://0177.0.0.01:PORT/',
  'http://00000177.0.0.1:PORT/',
  'http://0x7f.0.0x0.01:PORT/',
  'http://127.0.0.0x1:PORT/',
  'http://127.0x000001:PORT/',
  'http://127.0.1e0:PORT/',
  'http://１２７.０.０.１:PORT/',
  'http://127。0。0。1:PORT/',
  'http://127．0．0．1:PORT/',
  'http://127｡0｡0｡1:PORT/',
  'http://①②⑦.⓪.⓪.①:PORT/',
  'http://𝟏𝟐𝟕.𝟎.𝟎.𝟏:PORT/',
  'http://٣.١:PORT/',
  'http://0ₓ7f.1:PORT/',
  'http://%31%32%37.0.0.1:PORT/',
  'http://127%2e0%2e0%2e1:PORT/',
  'http://127.0.0.1%00.example.com:PORT/',
  'http://127.0.0.1%2eexample.com@127.0.0.1:PORT/',
  'http://127.0.0\u00AD.1:PORT/',
  'http://127.0.0\u200B.1:PORT/',
  'http://127.\n0.0\t.1:PORT/',
  'http:\\\\127.0.0.1:PORT\\',
  'http:127.0.0.1:PORT',
  'http:/127.0.0.1:PORT/',
  'http:///127.0.0.1:PORT/',
  'http:////127.0.0.1:PORT/',
  '\u0000http://127.0.0.1:PORT/',
  '  http://127.0.0.1:PORT/  ',
  'HTTP://127.0.0.1:PORT/',
  'ht\ntp://127.0.0.1:PORT/',
  // The unspecified address leads to this machine.
  'http://0:PORT/',
  'http://0.0.0.0:PORT/',
  'http://0x0:PORT/',
  'http://00:PORT/',
  'http://0.1.2.3:PORT/',
  'http://0000.0:PORT/',
  // Private, shared, link-local and cloud metadata.
  'http://10.0.0.1/',
  'http://10.255.255.255:PORT/',
  'http://0xa000001/',
  'http://012.0.0.1/',
  'http://167772161/',
  'http://172.16.0.1/',
  'http://172.31.255.255/',
  'http://192.168.0.1/',
  'http://192.168.65535/',
  'http://3232235521/',
  'http://100.64.0.1/',
  'http://100.100.100.200/latest/meta-data/',
  'http://100.127.255.255/',
  'http://169.254.169.254/latest/meta-data/',
  'http://2852039166/latest/meta-data/',
  'http://0xA9FEA9FE/',
  'http://0xa9.0xfe.0xa9.0xfe/',
  'http://0251.0376.0251.0376/',
  'http://169.254.43518/',
  'http://169.254.170.2/v2/credentials',
  'http://169.254.0.1/',
  'http://168.63.129.16/machine?comp=goalstate',
  'http://2822734096/',
  'http://192.0.0.192/latest/',
  // Never a server of the public internet.
  'http://192.0.2.1/',
  'http://198.51.100.7/',
  'http://203.0.113.9/',
  'http://198.18.0.1/',
  'http://198.19.255.255/',
  'http://192.88.99.1/',
  'http://192.31.196.1/',
  'http://192.52.193.1/',
  'http://192.175.48.1/',
  'http://224.0.0.1/',
  'http://239.255.255.250/',
  'http://240.0.0.1/',
  'http://255.255.255.255/',
];

const IPV6 = [
  'http://[::1]:PORT/',
  'http://[::1]/',
  'https://[::1]/',
  'http://[0:0:0:0:0:0:0:1]:PORT/',
  'http://[0000:0000:0000:0000:0000:0000:0000:0001]:PORT/',
  'http://[::0.0.0.1]:PORT/',
  'http://[::]:PORT/',
  'http://[0::0]:PORT/',
  'http://[::ffff:127.0.0.1]:PORT/',
  'http://[::ffff:7f00:1]:PORT/',
  'http://[::FFFF:7F00:0001]:PORT/',
  'http://[0:0:0:0:0:ffff:127.0.0.1]:PORT/',
  'http://[::ffff:10.0.0.1]/',
  'http://[::ffff:169.254.169.254]/',
  'http://[::ffff:93.184.216.34]/',
  'http://[::127.0.0.1]:PORT/',
  'http://[::7f00:1]:PORT/',
  'http://[::10.0.0.1]/',
  'http://[::93.184.216.34]/',
  'http://[::ffff:0:127.0.0.1]:PORT/',
  'http://[64:ff9b::127.0.0.1]:PORT/',
  'http://[64:ff9b::7f00:1]/',
  'http://[64:ff9b::a9fe:a9fe]/',
  'http://[64:ff9b:1::7f00:1]/',
  'http://[2002:7f00:1::]:PORT/',
  'http://[2002:a00:1::1]/',
  'http://[2002:a9fe:a9fe::]/',
  'http://[2001:0:7f00:1::]/',
  'http://[2001::1]/',
  'http://[2001:2::1]/',
  'http://[2001:10::1]/',
  'http://[2001:20::1]/',
  'http://[2001:db8::1]/',
  'http://[3fff::1]/',
  'http://[5f00::1]/',
  'http://[100::1]/',
  'http://[100:0:0:1::1]/',
  'http://[fc00::1]/',
  'http://[fd00:ec2::254]/latest/meta-data/',
  'http://[fd20:ce::254]/',
  'http://[fe80::1]/',
  'http://[fe80::1%25eth0]/',
  'http://[fe80::1%eth0]/',
  'http://[febf::1]/',
  'http://[fec0::1]/',
  'http://[ff02::1]/',
  'http://[ff0e::1]/',
  'http://[4000::1]/',
  'http://[2600:1f18::5efe:7f00:1]/',
  'http://[2600:1f18::200:5efe:a00:1]/',
  'http://[::1].example.com/',
  'http://[::1%00]:PORT/',
  'http://[::1',
  'http://::1:PORT/',
];

const USERINFO = [
  'http://user@127.0.0.1:PORT/',
  'http://user:secret@public.example/',
  'http://public.example@127.0.0.1:PORT/',
  'http://public.example:80@127.0.0.1:PORT/',
  'http://public.example%40127.0.0.1:PORT/',
  'http://127.0.0.1:PORT\\@public.example/',
  'http://127.0.0.1:PORT#@public.example/',
  'http://127.0.0.1:PORT?@public.example/',
  'http://:@127.0.0.1:PORT/',
  'http://@127.0.0.1:PORT/',
  'http://public.example&@127.0.0.1:PORT#@public.example/',
  'https://:token@public.example/',
];

const SCHEMES_AND_PORTS = [
  'file:///etc/passwd',
  'file://127.0.0.1/etc/passwd',
  'ftp://127.0.0.1/',
  'gopher://127.0.0.1:PORT/_GET',
  'dict://127.0.0.1:PORT/info',
  'ldap://127.0.0.1/',
  'tftp://127.0.0.1/',
  'ws://127.0.0.1:PORT/',
  'wss://127.0.0.1:PORT/',
  'unix:/var/run/docker.sock',
  'http+unix://%2fvar%2frun%2fdocker.sock/containers',
  'data:text/html,<script>alert(1)</script>',
  'blob:http://127.0.0.1:PORT/1',
  'javascript:alert(1)',
  'jar:http://127.0.0.1:PORT!/',
  'netdoc:///etc/passwd',
  'about:blank',
  'ftp://public.example:80/',
  'ws://public.example:80/',
  'gopher://public.example:80/',
  '//127.0.0.1:PORT/',
  '/etc/passwd',
  '127.0.0.1:PORT',
  '',
  'http://',
  'http://:PORT/',
  'http://public.example:22/',
  'http://public.example:25/',
  'http://public.example:6379/',
  'http://public.example:5432/',
  'http://public.example:8080/',
  'http://public.example:0/',
  'http://public.example:65536/',
  'http://public.example:PORT/',
  'https://93.184.216.34:11211/',
  'https://93.184.216.34:PORT/',
  'http://256.256.256.256/',
  'http://1.2.3.4.5/',
  'http://0x1ffffffff/',
  'http://foo.0x4/',
  `http://${'a.'.repeat(5000)}example/`,
  'http://xn--/',
  'http://exa mple.com/',
];

const NAMES = [
  'http://localhost:PORT/',
  'http://localhost/',
  'http://LOCALHOST:PORT/',
  'http://localhost.:PORT/',
  'http://ｌｏｃａｌｈｏｓｔ:PORT/',
  'http://loc\u00ADalhost:PORT/',
  'http://ⓛocalhost:PORT/',
  'http://%6cocalhost:PORT/',
  'http://foo.localhost:PORT/',
  'http://localhost.localdomain:PORT/',
  'http://metadata/',
  'http://metadata.google.internal/computeMetadata/v1/',
  'http://metadata.google.internal./',
  'http://METADATA.GOOGLE.INTERNAL/',
  'http://kubernetes.default.svc.cluster.local/',
  'http://printer.local/',
  'http://router.lan/',
  'http://nas.home.arpa/',
  'http://hidden.onion/',
  'http://postgres/',
  'http://redis:PORT/',
  'http://host.docker.internal:PORT/',
  'http://a..example/',
  'http://.example/',
  // Names of the public DNS with records that are not.
  'http://loopback.example:PORT/',
  'http://loopback.example/',
  'https://loopback.example/',
  'http://loopback.example.:PORT/',
  'http://loopback6.example:PORT/',
  'http://mapped.example:PORT/',
  'http://compatible.example:PORT/',
  'http://nat64.example/',
  'http://6to4.example/',
  'http://metadata.example/',
  'http://azure.example/',
  'http://private.example/',
  'http://shared.example/',
  'http://unspecified.example:PORT/',
  'http://mixed.example/',
  'http://mixed-last.example/',
  'http://mixed-families.example/',
  'http://zone.example:PORT/',
  'http://garbage.example/',
  'http://octal.example/',
  'http://xn--lback-gra.example/',
  'http://127.0.0.1.nip.example:PORT/',
];

const PUBLIC = '93.184.216.34';
const RECORDS: Readonly<Record<string, readonly string[]>> = {
  'public.example': [PUBLIC],
  'localhost.localdomain': ['127.0.0.1'],
  'loopback.example': ['127.0.0.1'],
  'loopback6.example': ['::1'],
  'mapped.example': ['::ffff:127.0.0.1'],
  'compatible.example': ['::7f00:1'],
  'nat64.example': ['64:ff9b::7f00:1'],
  '6to4.example': ['2002:7f00:1::'],
  'metadata.example': ['169.254.169.254'],
  'azure.example': ['168.63.129.16'],
  'private.example': ['10.1.2.3'],
  'shared.example': ['100.64.0.1'],
  'unspecified.example': ['0.0.0.0'],
  'mixed.example': ['127.0.0.1', PUBLIC],
  'mixed-last.example': [PUBLIC, '8.8.8.8', '10.0.0.1'],
  'mixed-families.example': [PUBLIC, '::1'],
  'zone.example': ['fe80::1%lo'],
  'garbage.example': ['not an address'],
  'octal.example': ['0177.0.0.1'],
  'xn--lback-gra.example': ['127.0.0.1'],
  '127.0.0.1.nip.example': ['127.0.0.1'],
  // Names to us, numbers to some resolvers.
  '127.0.1e0': ['127.0.0.1'],
  'xn--cib.xn--9hb': ['127.0.0.1'],
};

const CORPUS = [...LITERALS, ...IPV6, ...USERINFO, ...SCHEMES_AND_PORTS, ...NAMES];
const LIMITS = { maxBytes: 1000, timeoutMs: 60_000 };

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
    expect(new Set(CORPUS).size).toBe(CORPUS.length);
    expect(CORPUS.length).toBeGreaterThanOrEqual(150);
  });

  it('would reach the listener, were it allowed', async () => {
    const open = createOutbound({ allow: [`127.0.0.0/8:${port}`, `[::1]:${port}`], ownAddresses: [] });
    for (const url of ['http://127.0.0.1:PORT/', 'http://2130706433:PORT/', 'http://[::1]:PORT/']) {
      expect((await open.fetch(written(url), LIMITS)).body.toString()).toBe('reached');
    }
    expect(connections).toBe(3);
  });

  it.each(CORPUS)('%j', async (url) => {
    await expectBlocked(anOutbound().fetch(written(url), LIMITS), url);
    expect(dialled).toEqual([]);
    expect(connections).toBe(0);
  });

  it('are refused with credentials too', async () => {
    for (const url of USERINFO.filter((text) => text.includes('PORT'))) {
      await expectBlocked(anOutbound().fetch(written(url), { ...LIMITS, credentialsInUrl: true }), url);
    }
    expect(dialled).toEqual([]);
  });

  it('are not revealed: no message says more than that the address is not public', async () => {
    const error = await anOutbound()
      .check('http://private.example/')
      .catch((thrown: Error) => thrown);
    expect(String(error)).toContain('private.example is not a public address');
    expect(String(error)).not.toContain('10.1.2.3');
  });
});

describe('redirects to hostile addresses', () => {
  const targets = [
    ...[...LITERALS, ...IPV6, ...USERINFO, ...SCHEMES_AND_PORTS, ...NAMES].filter(
      // What a header cannot carry, and what is a harmless path when it is resolved against a base.
      (url) => /^[\u0021-\u007e]+$/.test(url) && !/^(\/etc|127|http:127|http:\/127)/.test(url),
    ),
    '//127.0.0.1:PORT/x',
    '\\\\127.0.0.1:PORT/x',
    '///127.0.0.1:PORT/x',
  ];

  it.each(targets)('%j', async (url) => {
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
