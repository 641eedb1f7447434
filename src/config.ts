import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import path from 'node:path';
import ipaddr from 'ipaddr.js';
import { unknownVariables } from './config-warnings.ts';
import { explainFilesTarget } from './platform/files/index.ts';
import { isAllowEntry } from './platform/outbound/index.ts';

/** The configuration: environment variables, read once at startup. */
export interface Config {
  readonly host: string;
  readonly port: number;
  /** The public URL, without a trailing slash. */
  readonly url: string;
  readonly dataDirectory: string;
  readonly databaseUrl: string | undefined;
  readonly databasePool: number;
  readonly secret: string | undefined;
  /** File storage: a folder, or `s3://bucket/prefix`. */
  readonly files: string;
  /** Bytes that an organization may store; 0: no limit. */
  readonly organizationStorage: number;
  /** Bytes that remain free on the disks of the data directory and of the files; 0: none. */
  readonly diskReserve: number;
  /** Private hosts and networks that outbound requests may reach. */
  readonly outboundAllow: readonly string[];
  /** Name servers that prove custom hostnames; none: those of the system. */
  readonly dnsServers: readonly string[];
  readonly smtpUrl: string | undefined;
  readonly smtpFrom: string;
  readonly adminToken: string | undefined;
  readonly adminEmail: string;
  readonly organizationTitle: string;
  /** Whether a new installation publishes the handbook, and `/` shows it. */
  readonly handbook: boolean;
  readonly organizationCreation: 'anyone' | 'operator';
  readonly rateLimit: number;
  readonly trustedProxies: readonly string[];
  readonly metricsToken: string | undefined;
  /** Where `octavo worker` serves its probes; none: nowhere. */
  readonly probePort: number | undefined;
  readonly cache: boolean;
  /** Time limit for one PDF. */
  readonly pdfSeconds: number;
  /** The format of the body of a page if a request names none. */
  readonly pageFormat: 'markdown' | 'document';
  /** Pages that one import takes. */
  readonly importPages: number;
  /** How long an import in the background may take. */
  readonly importMinutes: number;
  /** How many processes run jobs and perform large requests. */
  readonly heavyProcesses: number;
  /** Megabytes that a process for jobs and large requests may need. */
  readonly heavyMemory: number;
  readonly logLevel: LogLevel;
  /** The level of the line that is logged for each request. */
  readonly requestLogLevel: LogLevel;
  /** Values that are valid, and probably not intended. */
  readonly warnings: readonly string[];
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
type LogLevel = (typeof LOG_LEVELS)[number];

/** Jobs use up to five connections, one of them permanently; requests need at least one. */
const MIN_POOL = 6;

const DEFAULT_DATA_DIRECTORY = path.resolve('data');

/** 8 PiB, the largest size that a number represents exactly. */
const MAX_BYTES = 2 ** 53;

/** The path of the public URL, which prefixes every route: empty, or for example `/docs`. */
export const basePath = ({ url }: Config): string => new URL(url).pathname.replace(/\/$/, '');

/** Whether other machines can reach the server: directly, or through a proxy with its public URL. */
export const isPublic = ({ host, url }: Config): boolean => !isLoopback(host) || !isLoopback(hostOfUrl(url));

const hostOfUrl = (url: string): string => new URL(url).hostname.replaceAll(/[[\]]/g, '');

const isLoopback = (host: string): boolean =>
  host === 'localhost' || (ipaddr.isValid(host) && ipaddr.parse(host).range() === 'loopback');

/** Top-level routes. A base path that begins with one of them would hide it. */
const RESERVED_PATHS =
  /^\/(v1|app|avatars|healthz|invite|metrics|openapi\.json|openapi\.yaml|readyz|reference|~[^/]*)(\/|$)/;

export class ConfigError extends Error {}

type Environment = Readonly<Record<string, string | undefined>>;

export const readConfig = (): Config => loadConfig(process.env);

/** Throws one `ConfigError` that lists every invalid variable. */
export function loadConfig(environment: Environment): Config {
  const problems: string[] = [];
  const known: string[] = [];
  const text = (name: string): string | undefined => {
    known.push(name);
    return valueOf(environment, name, problems);
  };
  const complain = (name: string, rule: string) => problems.push(`${name} ${rule}`);

  const whole = (name: string, fallback: number, most: number, least = 0): number => {
    const given = text(name);
    if (given === undefined) return fallback;
    const value = /^\d+$/.test(given) ? Number(given) : Number.NaN;
    if (!(value >= least && value <= most))
      complain(name, `must be a whole number from ${least} to ${most}, not "${given}"`);
    return value;
  };
  const bytes = (name: string, fallback: number): number => {
    const given = text(name);
    if (given === undefined) return fallback;
    const [, digits, unit = ''] = /^(\d{1,15}) ?([KMGT]?)B?$/i.exec(given) ?? [];
    if (digits === undefined) complain(name, `must be a size such as 500MB or 20GB, not "${given}"`);
    return Math.min(Number(digits) * 1024 ** ' KMGT'.indexOf(unit.toUpperCase() || ' '), MAX_BYTES);
  };
  const oneOf = <T extends string>(name: string, allowed: readonly T[], fallback: T): T => {
    const given = text(name) ?? fallback;
    if (!allowed.includes(given as T)) complain(name, `must be one of ${allowed.join(', ')}, not "${given}"`);
    return given as T;
  };
  const urlOf = (name: string, schemes: readonly string[]): string | undefined => {
    const given = text(name);
    if (given === undefined) return undefined;
    const isOurs = schemes.some((scheme) => given.toLowerCase().startsWith(`${scheme}://`));
    if (!isOurs || !URL.canParse(given))
      complain(name, `must be a URL that begins with ${schemes.join(':// or ')}://`);
    return given.replace(/(?<!\/)\/+$/, '');
  };
  const listOf = (name: string): string[] =>
    (text(name) ?? '')
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean);
  const listed = (name: string, isValid: (entry: string) => boolean, rule: string): string[] => {
    const entries = listOf(name);
    const wrong = entries.filter((entry) => !isValid(entry)).map((entry) => `"${entry}"`);
    if (wrong.length > 0) complain(name, `must list ${rule}, separated by commas, not ${wrong.join(', ')}`);
    return entries;
  };
  const atLeastLong = (name: string, least: number): string | undefined => {
    const given = text(name);
    if (given !== undefined && given.length < least) complain(name, `must have at least ${least} characters`);
    return given;
  };
  const shaped = (name: string, shape: RegExp, rule: string): string | undefined => {
    const given = text(name);
    if (given !== undefined && !shape.test(given)) complain(name, rule);
    return given;
  };

  const port = whole('PORT', 3000, 65_535, 1);
  const host = text('HOST') ?? '127.0.0.1';
  if (!isHost(host)) complain('HOST', `must be an IP address or a host name, not "${host}"`);
  const databaseUrl = urlOf('DATABASE_URL', ['postgres', 'postgresql']);
  const sslMode = databaseUrl && /[?&]sslmode=([^&]*)/.exec(databaseUrl)?.[1];
  if (sslMode !== undefined && !SSL_MODES.includes(sslMode))
    complain('DATABASE_URL', `must have an sslmode of ${SSL_MODES.join(', ')}, not "${sslMode}"`);
  const secret = atLeastLong('OCTAVO_SECRET', 16);
  if (databaseUrl && secret === undefined) {
    complain(
      'OCTAVO_SECRET',
      'must be set with DATABASE_URL: it encrypts stored secrets and must be the same for every process',
    );
  }
  const url = urlOf('OCTAVO_URL', ['http', 'https']) ?? `http://localhost:${port}`;
  if (URL.canParse(url) && (/[\s?#]/.test(url) || new URL(url).username || new URL(url).password))
    complain('OCTAVO_URL', 'must not contain a user, query, fragment or white space');
  const own = URL.canParse(url) ? RESERVED_PATHS.exec(new URL(url).pathname)?.[1] : undefined;
  if (own !== undefined) {
    complain('OCTAVO_URL', `must not have a path that begins with /${own}, which the server uses itself`);
  }
  const dataDirectory = path.resolve(text('OCTAVO_DATA') ?? DEFAULT_DATA_DIRECTORY);
  const files = text('OCTAVO_FILES') ?? path.join(dataDirectory, 'files');
  const filesProblem = explainFilesTarget(files);
  if (filesProblem) problems.push(filesProblem);
  const config: Omit<Config, 'warnings'> = {
    host,
    port,
    url,
    dataDirectory,
    databaseUrl: databaseUrl && verifyingCertificates(databaseUrl),
    databasePool: whole('OCTAVO_DATABASE_POOL', 10, 1000, MIN_POOL),
    secret,
    files,
    outboundAllow: listed(
      'OCTAVO_OUTBOUND_ALLOW',
      isAllowEntry,
      'hosts, IP addresses or networks such as 10.0.0.0/8, each with or without :port',
    ),
    dnsServers: listed(
      'OCTAVO_DNS_SERVERS',
      isServerEntry,
      'IP addresses of name servers, with or without a port: 192.0.2.1, 192.0.2.1:53 or [2001:db8::1]:53',
    ),
    organizationStorage: bytes('OCTAVO_ORG_STORAGE', 100 * 1024 ** 3),
    diskReserve: bytes('OCTAVO_DISK_RESERVE', 1024 ** 3),
    smtpUrl: urlOf('OCTAVO_SMTP_URL', ['smtp', 'smtps']),
    smtpFrom: text('OCTAVO_SMTP_FROM') ?? 'Octavo <octavo@localhost>',
    adminToken: shaped('OCTAVO_ADMIN_TOKEN', /^\S{20,512}$/, 'must have 20 to 512 characters and no spaces'),
    adminEmail:
      shaped('OCTAVO_ADMIN_EMAIL', /^[^\s@]+@[^\s@]+$/, 'must be an e-mail address') ?? 'admin@localhost',
    organizationTitle:
      shaped('OCTAVO_ORG_TITLE', /^.{2,255}$/su, 'must have 2 to 255 characters') ?? 'My organization',
    handbook: oneOf('OCTAVO_HANDBOOK', ['on', 'off'], 'on') === 'on',
    organizationCreation: oneOf('OCTAVO_ORG_CREATION', ['anyone', 'operator'], 'anyone'),
    rateLimit: whole('OCTAVO_RATE_LIMIT', 6000, 1_000_000_000),
    trustedProxies: listed(
      'OCTAVO_TRUSTED_PROXIES',
      isProxyEntry,
      'IP addresses, networks such as 10.0.0.0/8, or loopback, linklocal, uniquelocal',
    ),
    metricsToken: atLeastLong('OCTAVO_METRICS_TOKEN', 16),
    probePort: whole('OCTAVO_PROBE_PORT', 0, 65_535, 1) || undefined,
    cache: oneOf('OCTAVO_CACHE', ['on', 'off'], 'on') === 'on',
    pdfSeconds: whole('OCTAVO_PDF_SECONDS', 600, 86_400, 1),
    pageFormat: oneOf('OCTAVO_PAGE_FORMAT', ['markdown', 'document'], 'markdown'),
    importPages: whole('OCTAVO_IMPORT_PAGES', 5000, 100_000, 1),
    importMinutes: whole('OCTAVO_IMPORT_MINUTES', 30, 360, 1),
    heavyProcesses: whole('OCTAVO_HEAVY_PROCESSES', 1, 64, 1),
    heavyMemory: whole('OCTAVO_HEAVY_MEMORY', 1024, 1024 * 1024, 512),
    logLevel: oneOf('OCTAVO_LOG_LEVEL', LOG_LEVELS, 'info'),
    requestLogLevel: oneOf('OCTAVO_REQUEST_LOG_LEVEL', LOG_LEVELS, 'debug'),
  };
  if (problems.length > 0) {
    throw new ConfigError(
      `Invalid environment variables:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`,
    );
  }
  return { ...config, warnings: [...unreachableUrl(config), ...unknownVariables(environment, known)] };
}

const SSL_MODES: readonly string[] = [
  'disable',
  'no-verify',
  'prefer',
  'require',
  'verify-ca',
  'verify-full',
];

/** pg verifies certificates with these modes, too, and warns that it may not do so later. */
const verifyingCertificates = (databaseUrl: string): string =>
  databaseUrl.includes('uselibpqcompat=true')
    ? databaseUrl
    : databaseUrl.replace(/([?&]sslmode=)(prefer|require|verify-ca)(?=&|$)/, '$1verify-full');

function unreachableUrl({ host, url }: Pick<Config, 'host' | 'url'>): string[] {
  if (isLoopback(host) || !isLoopback(hostOfUrl(url))) return [];
  return [
    `HOST=${host} accepts connections from other machines, but links lead to ${url}, which is each machine itself. Set OCTAVO_URL to the public address.`,
  ];
}

/** Whether the syntax is valid. Only listening shows whether this machine has the address. */
const isHost = (host: string): boolean => (isIP(host) !== 0 || /^[\w.-]+$/.test(host)) && isAllowEntry(host);

/** Whether the resolver of Node accepts the entry. */
function isServerEntry(entry: string): boolean {
  const [, six, four = six ?? '', port] = /^(?:\[([^\]]+)\]|([\d.]+)):(\d{1,5})$/.exec(entry) ?? [];
  return isIP(entry) !== 0 || (isIP(four) !== 0 && Number(port) > 0 && Number(port) < 65_536);
}

/** Whether Fastify accepts the entry in `trustProxy`. */
const isProxyEntry = (entry: string): boolean =>
  ['loopback', 'linklocal', 'uniquelocal'].includes(entry) ||
  (ipaddr.isValidCIDR(entry) && ipaddr.parseCIDR(entry)[1] > 0) ||
  (ipaddr.isValid(entry) && (entry.includes(':') || ipaddr.IPv4.isValidFourPartDecimal(entry)));

/** `NAME`, or the contents of the file that `NAME_FILE` names (a mounted secret). Empty means absent. */
function valueOf(environment: Environment, name: string, problems: string[]): string | undefined {
  const file = environment[`${name}_FILE`];
  if (!file) return environment[name] || undefined;
  if (environment[name]) problems.push(`${name} and ${name}_FILE are both set; remove one`);
  try {
    return readFileSync(file, 'utf8').trim() || undefined;
  } catch (error) {
    problems.push(`${name}_FILE: ${(error as Error).message}`);
    return undefined;
  }
}
