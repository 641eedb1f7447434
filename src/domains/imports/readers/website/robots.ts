import { OutboundError, type Outbound } from '../../../../platform/outbound/index.ts';
import { ImportError } from '../../folder/imported-folder.ts';
import { HTTP_MS, MAX_ROBOTS } from '../../limits.ts';

/** The name that robots.txt may address. */
const AGENT = 'Octavo';
const MAX_DELAY_MS = 10_000;
const MAX_RULE = 1000;
const MAX_RULES = 5000;
/** Total length of the rules with wildcards. The time for one URL is proportional to it and to the URL's length. */
const MAX_WILDCARD_LENGTH = 2_000;

/** The rules of one origin. */
export interface Robots {
  allows(url: URL): boolean;
  /** Between two requests. */
  readonly delayMs: number;
}

/** Reads robots.txt as RFC 9309 requires: if it does not exist, everything is allowed; if it cannot be read, nothing is. */
export async function readRobots(outbound: Outbound, origin: string, signal: AbortSignal): Promise<Robots> {
  const url = `${origin}/robots.txt`;
  const { host } = new URL(origin);
  const { status, body } = await outbound
    .fetch(url, { maxBytes: MAX_ROBOTS, timeoutMs: HTTP_MS, accept: 'text/plain', signal })
    .catch((error: unknown) => {
      throw error instanceof OutboundError ? explain(error, host) : error;
    });
  if (status >= 400 && status < 500 && status !== 429) return { allows: () => true, delayMs: 0 };
  if (status < 200 || status > 299) throw unreadable(host, `the server returned ${status}`);
  return parseRobots(url, new TextDecoder().decode(body), host);
}

/** Errors of the host are reported as they are; the others would be understood as errors of the start page. */
function explain(error: OutboundError, host: string): Error {
  if (error.reason === 'blocked' || error.reason === 'unreachable') return error;
  if (error.reason === 'too-large') return unusable(host, `it exceeds ${MAX_ROBOTS} bytes`);
  return unreadable(
    host,
    error.reason === 'redirects' ? 'it redirects too often' : 'there is no valid response',
  );
}

/** What to do about a website that may not be read. */
export const EXPORT_INSTEAD = 'Ask its operator, or import an export of its content as a ZIP.';

const unreadable = (host: string, why: string): ImportError =>
  new ImportError(400, `robots.txt of ${host} cannot be read: ${why}. Try again later.`);

const unusable = (host: string, why: string): ImportError =>
  new ImportError(422, `robots.txt of ${host} cannot be used: ${why}.`, EXPORT_INSTEAD);

async function parseRobots(url: string, text: string, host: string): Promise<Robots> {
  const rules = ownRules(text, host);
  // Loaded when needed: most servers import rarely.
  const { default: library } = await import('robots-parser');
  // Its types describe an ES module; it is a CommonJS module that is a function.
  const robots = (library as unknown as typeof library.default)(url, rules);
  const delay = robots.getCrawlDelay(AGENT) ?? 0;
  return {
    allows: ({ href }) => robots.isAllowed(href, AGENT) !== false,
    delayMs: Math.min(Math.max(0, delay * 1000), MAX_DELAY_MS),
  };
}

/**
 * The groups for us and for all agents, without others. The library multiplies the agents of a group by its rules, and
 * matches every rule with every URL, without a limit. Lines that are no rules may be of any length: some websites answer
 * every URL with a web page.
 */
function ownRules(text: string, host: string): string {
  const lines: string[] = [];
  let rules = 0;
  let wildcards = 0;
  let agents = new Set<string>();
  let isInHead = false;
  for (const line of text.split(/\r\n|\r|\n/)) {
    const [, given = '', value = ''] = /^\s*([a-z-]+)\s*:\s*([^#]*)/i.exec(line) ?? [];
    const name = given.toLowerCase();
    if (name === '') continue;
    if (name === 'user-agent') {
      if (!isInHead) agents = new Set();
      const agent = ownAgent(value);
      if (agent !== undefined && !agents.has(agent)) {
        if (agents.size === 0) lines.push('');
        agents.add(agent);
        lines.push(`User-agent: ${agent}`);
      }
    } else if (agents.size > 0 && ['allow', 'disallow', 'crawl-delay'].includes(name)) {
      if (value.length > MAX_RULE) throw unusable(host, `a rule is longer than ${MAX_RULE} characters`);
      if (++rules > MAX_RULES) throw unusable(host, `it has more than ${MAX_RULES} rules`);
      if (value.includes('*')) wildcards += value.length;
      if (wildcards > MAX_WILDCARD_LENGTH) throw unusable(host, 'its wildcards are too many');
      lines.push(`${name}: ${value}`);
    }
    isInHead = name === 'user-agent';
  }
  return lines.join('\n');
}

/** Our user agent as the library names it. Undefined: another one. */
function ownAgent(value: string): string | undefined {
  const [name = ''] = value.trim().toLowerCase().split('/');
  if (name.trim() === '*') return '*';
  return name.trim() === AGENT.toLowerCase() ? AGENT : undefined;
}
