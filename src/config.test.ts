import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { ConfigError, loadConfig } from './config.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'octavo-config-'));
afterAll(() => rmSync(folder, { recursive: true }));

function fileWith(text: string): string {
  const file = path.join(folder, 'value');
  writeFileSync(file, text);
  return file;
}

/** The reported problems, without the heading. */
function problemsOf(environment: Record<string, string>): string[] {
  try {
    loadConfig(environment);
    return [];
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    const [heading, ...problems] = (error as Error).message.split('\n');
    expect(heading).toBe('Invalid environment variables:');
    return problems.map((problem) => problem.replace(/^ {2}- /, ''));
  }
}

describe('an empty environment', () => {
  test('is valid', () => {
    expect(loadConfig({})).toMatchObject({
      host: '127.0.0.1',
      port: 3000,
      url: 'http://localhost:3000',
      dataDirectory: path.resolve('data'),
      databaseUrl: undefined,
      secret: undefined,
      adminToken: undefined,
      adminEmail: 'admin@localhost',
      organizationTitle: 'My organization',
      organizationCreation: 'anyone',
      pageFormat: 'markdown',
      trustedProxies: [],
      cache: true,
      logLevel: 'info',
    });
  });

  test('equals an environment of empty values', () => {
    const names = ['PORT', 'OCTAVO_URL', 'DATABASE_URL', 'OCTAVO_SECRET', 'OCTAVO_LOG_LEVEL', 'PORT_FILE'];
    expect(loadConfig(Object.fromEntries(names.map((name) => [name, ''])))).toEqual(loadConfig({}));
  });
});

describe('a variable', () => {
  test('is read from the environment', () => {
    const given = loadConfig({
      HOST: '::',
      PORT: '80',
      OCTAVO_DATA: '/srv/octavo',
      DATABASE_URL: 'postgresql://u:p@db/octavo',
      OCTAVO_SECRET: 'sixteen letters!',
      OCTAVO_TRUSTED_PROXIES: '10.0.0.0/8, 192.0.2.1,',
      OCTAVO_CACHE: 'off',
      OCTAVO_RATE_LIMIT: '0',
    });
    expect(given).toMatchObject({
      host: '::',
      port: 80,
      url: 'http://localhost:80',
      dataDirectory: '/srv/octavo',
      databaseUrl: 'postgresql://u:p@db/octavo',
      secret: 'sixteen letters!',
      trustedProxies: ['10.0.0.0/8', '192.0.2.1'],
      cache: false,
      rateLimit: 0,
    });
  });

  test('is read from the file named by NAME_FILE, without the line end', () => {
    expect(loadConfig({ OCTAVO_SECRET_FILE: fileWith('a key out of a file\n') }).secret).toBe(
      'a key out of a file',
    );
    expect(loadConfig({ PORT_FILE: fileWith('8080\n') }).port).toBe(8080);
    expect(loadConfig({ OCTAVO_SECRET_FILE: fileWith('\n') }).secret).toBeUndefined();
  });

  test('of type size accepts units', () => {
    const sizes = ['0', '512', '512B', '2k', '2KB', '1.5GB', '500 MB', '1gb', '3T'].map((given) =>
      problemsOf({ OCTAVO_ORG_STORAGE: given }).length > 0
        ? undefined
        : loadConfig({ OCTAVO_ORG_STORAGE: given }).organizationStorage,
    );
    expect(sizes).toEqual([0, 512, 512, 2048, 2048, undefined, 500 * 1024 ** 2, 1024 ** 3, 3 * 1024 ** 4]);
  });

  test('of type URL loses its trailing slashes', () => {
    expect(loadConfig({ OCTAVO_URL: 'https://docs.example.org/base//' }).url).toBe(
      'https://docs.example.org/base',
    );
  });
});

describe('a warning', () => {
  test.each([
    ['OCTAVO_URI', 'Did you mean OCTAVO_URL?'],
    ['OCTAVO_PORT', 'Did you mean PORT?'],
    ['OCTAVO_DATABASE_URL', 'Did you mean DATABASE_URL?'],
    ['OCTAVO_LOGLEVEL', 'Did you mean OCTAVO_LOG_LEVEL?'],
    ['OCTAVO_SECRET_FLIE', 'Did you mean OCTAVO_SECRET?'],
    ['OCTAVO_ADMIN_TOKN_FILE', 'Did you mean OCTAVO_ADMIN_TOKEN?'],
    ['OCTAVO_SOMETHING_ENTIRELY_DIFFERENT', ''],
  ])('names the unknown variable %s', (name, hint) => {
    expect(loadConfig({ [name]: 'x', OTHER_VARIABLE: 'x' }).warnings).toEqual([
      `${name} is no variable of Octavo and has no effect.${hint && ` ${hint}`}`,
    ]);
  });

  test('is not about the variables that Kubernetes sets for a service named octavo', () => {
    const ofService = {
      OCTAVO_SERVICE_HOST: '10.0.0.1',
      OCTAVO_SERVICE_PORT_HTTP: '80',
      OCTAVO_PORT: 'tcp://10.0.0.1:80',
      OCTAVO_PORT_80_TCP_ADDR: '10.0.0.1',
    };
    expect(loadConfig(ofService).warnings).toEqual([]);
  });

  test('says that others cannot use a local OCTAVO_URL', () => {
    const warningsOf = (HOST: string, OCTAVO_URL: string) => loadConfig({ HOST, OCTAVO_URL }).warnings;
    for (const host of ['0.0.0.0', '::', 'docs.internal'])
      expect(warningsOf(host, '')).toEqual([
        expect.stringMatching(/http:\/\/localhost:3000.* Set OCTAVO_URL/),
      ]);
    expect(warningsOf('127.0.0.1', '')).toEqual([]);
    expect(warningsOf('0.0.0.0', 'https://docs.example.org')).toEqual([]);
  });
});

test.each([
  ['require', 'verify-full'],
  ['prefer&application_name=x', 'verify-full&application_name=x'],
  ['no-verify', 'no-verify'],
  ['disable', 'disable'],
])('sslmode=%s is %s', (given, used) => {
  const databaseUrl = (mode: string) => `postgres://u@db/o?sslmode=${mode}`;
  const environment = { DATABASE_URL: databaseUrl(given), OCTAVO_SECRET: 'sixteen letters!' };
  expect(loadConfig(environment).databaseUrl).toBe(databaseUrl(used));
});

test.each(['::', '0.0.0.0', '127.0.0.1', 'localhost', 'docs-1.internal', 'my_container'])(
  'HOST may be %s',
  (host) => expect(loadConfig({ HOST: host }).host).toBe(host),
);

test.each(['/srv/files', 'files', 's3://key:secret@docs/prefix?region=eu-west-1'])(
  'OCTAVO_FILES may be %s',
  (files) => expect(loadConfig({ OCTAVO_FILES: files }).files).toBe(files),
);

test('a list accepts every documented form of entry', () => {
  const proxies = ['loopback', '10.0.0.0/8', '192.0.2.1', '2001:db8::1', 'fd00::/8'];
  const hosts = ['wiki.internal', '*.example.org:8080', '10.0.0.0/8:*', '[::1]:80', '192.0.2.1', 'my_host'];
  const given = loadConfig({
    OCTAVO_TRUSTED_PROXIES: proxies.join(','),
    OCTAVO_OUTBOUND_ALLOW: hosts.join(', '),
  });
  expect([given.trustedProxies, given.outboundAllow]).toEqual([proxies, hosts]);
});

describe('an invalid environment', () => {
  test.each([
    [{ PORT: '0' }, 'PORT must be a whole number from 1 to 65535, not "0"'],
    [{ PORT: '65536' }, 'PORT must be a whole number from 1 to 65535, not "65536"'],
    [{ PORT: '-1' }, 'PORT must be a whole number from 1 to 65535, not "-1"'],
    [{ PORT: '0x50' }, 'PORT must be a whole number from 1 to 65535, not "0x50"'],
    [{ PORT: '80.5' }, 'PORT must be a whole number from 1 to 65535, not "80.5"'],
    [{ OCTAVO_URL: 'docs.example.org' }, 'OCTAVO_URL must be a URL that begins with http:// or https://'],
    [{ OCTAVO_URL: 'https:docs.example.org' }, /^OCTAVO_URL must be a URL that begins with/],
    ...[
      'https://docs.example.org/?x=1',
      'https://docs.example.org/#top',
      'https://ada:hunter2@docs.example.org',
      'https://docs.example.org/a b',
      'https://docs.example.org/a ',
      'https://docs.example.org?',
    ].map(
      (url) =>
        [{ OCTAVO_URL: url }, 'OCTAVO_URL must not contain a user, query, fragment or white space'] as const,
    ),
    [
      { OCTAVO_URL: 'https://docs.example.org/v1/' },
      'OCTAVO_URL must not have a path that begins with /v1, which the server uses itself',
    ],
    [
      { OCTAVO_SMTP_URL: 'http://mail' },
      'OCTAVO_SMTP_URL must be a URL that begins with smtp:// or smtps://',
    ],
    [{ OCTAVO_SECRET: 'short' }, 'OCTAVO_SECRET must have at least 16 characters'],
    [{ OCTAVO_ADMIN_TOKEN: 'short' }, 'OCTAVO_ADMIN_TOKEN must have 20 to 512 characters and no spaces'],
    [{ OCTAVO_ADMIN_TOKEN: 'a token with some spaces' }, /^OCTAVO_ADMIN_TOKEN must have .* no spaces$/],
    [{ OCTAVO_ADMIN_EMAIL: 'ada' }, 'OCTAVO_ADMIN_EMAIL must be an e-mail address'],
    [{ OCTAVO_ORG_TITLE: 'X' }, 'OCTAVO_ORG_TITLE must have 2 to 255 characters'],
    [{ OCTAVO_DATABASE_POOL: '5' }, 'OCTAVO_DATABASE_POOL must be a whole number from 6 to 1000, not "5"'],
    [{ OCTAVO_ORG_STORAGE: 'lots' }, 'OCTAVO_ORG_STORAGE must be a size such as 500MB or 20GB, not "lots"'],
    [{ OCTAVO_DISK_RESERVE: '-1' }, 'OCTAVO_DISK_RESERVE must be a size such as 500MB or 20GB, not "-1"'],
    ...['http://localhost', 'localhost:3000', '[::1]', 'two words', '10.0.0.0/8', 'fe80::1%eth0'].map(
      (host) => [{ HOST: host }, `HOST must be an IP address or a host name, not "${host}"`] as const,
    ),
    [
      { OCTAVO_FILES: 's3://k:s@b/p?endpoint=zz' },
      'OCTAVO_FILES: endpoint must be a URL that begins with https:// or http://, not "zz"',
    ],
    [{ OCTAVO_FILES: 's3://docs' }, 'OCTAVO_FILES: s3:// needs credentials: s3://key:secret@bucket'],
    [{ OCTAVO_FILES: 's3://key@docs' }, /^OCTAVO_FILES: s3:\/\/ needs credentials/],
    [{ OCTAVO_FILES: 's3://key:%zz@docs' }, /^OCTAVO_FILES: .* percent-encode the secret$/],
    [{ OCTAVO_FILES: 's3://key:secret@b' }, /^OCTAVO_FILES: s3:\/\/ needs the name of a bucket/],
    [{ OCTAVO_FILES: 'gs://docs' }, 'OCTAVO_FILES: it must be a folder or a URL that begins with s3://'],
    [{ OCTAVO_LOG_LEVEL: 'INFO' }, /^OCTAVO_LOG_LEVEL must be one of fatal, .*, silent, not "INFO"$/],
    [{ OCTAVO_ORG_CREATION: 'all' }, 'OCTAVO_ORG_CREATION must be one of anyone, operator, not "all"'],
    [
      { OCTAVO_TRUSTED_PROXIES: '127.0.0.1, zz' },
      /^OCTAVO_TRUSTED_PROXIES must list IP addresses, .*, not "zz"$/,
    ],
    [{ OCTAVO_TRUSTED_PROXIES: '10.0.0.0/33,0.0.0.0/0' }, /, not "10.0.0.0\/33", "0.0.0.0\/0"$/],
    [{ OCTAVO_OUTBOUND_ALLOW: 'wiki.internal,!!' }, /^OCTAVO_OUTBOUND_ALLOW must list hosts, .*, not "!!"$/],
    [{ OCTAVO_OUTBOUND_ALLOW: 'a:99999' }, /^OCTAVO_OUTBOUND_ALLOW must list .*, not "a:99999"$/],
    [
      { DATABASE_URL: 'postgres://u@db/o?sslmode=on', OCTAVO_SECRET: 'sixteen letters!' },
      /^DATABASE_URL must have an sslmode of disable, .*, verify-full, not "on"$/,
    ],
    [{ DATABASE_URL: 'postgres://u@db/o' }, /^OCTAVO_SECRET must be set with DATABASE_URL/],
    [{ OCTAVO_SECRET_FILE: '/nowhere/at/all' }, /^OCTAVO_SECRET_FILE: ENOENT/],
  ] as const)('%j is rejected', (environment, problem) => {
    const expected = typeof problem === 'string' ? problem : expect.stringMatching(problem);
    expect(problemsOf(environment)).toEqual([expected]);
  });

  test('is reported with all problems together', () => {
    const problems = problemsOf({
      PORT: 'x',
      DATABASE_URL: 'mysql://db',
      OCTAVO_RATE_LIMIT: '-5',
      HOST: 'a',
      HOST_FILE: fileWith('b'),
    });
    expect(problems.map((problem) => problem.split(' ')[0]).toSorted()).toEqual([
      'DATABASE_URL',
      'HOST',
      'OCTAVO_RATE_LIMIT',
      'OCTAVO_SECRET',
      'PORT',
    ]);
  });

  test('is reported without secrets', () => {
    const secret = 'hunter2';
    const problems = problemsOf({
      OCTAVO_SECRET: secret,
      OCTAVO_ADMIN_TOKEN: secret,
      OCTAVO_METRICS_TOKEN: secret,
      DATABASE_URL: `mysql://u:${secret}@db/o`,
      OCTAVO_SMTP_URL: `imap://u:${secret}@mail`,
      OCTAVO_URL: `https://u:${secret}@docs.example.org`,
      OCTAVO_FILES: `s3://k:${secret}@b`,
    });
    expect(problems).toHaveLength(7);
    expect(problems.join('\n')).not.toContain(secret);
  });
});
