import { normalize } from '../../content-engine/normalize.ts';
import { chosenSlug, slugOf, uniqueSlug } from '../../content-engine/tree/index.ts';
import { badRequest } from '../../platform/api/errors.ts';

/** Served by every site itself. */
const RESERVED_ON_SITES = [
  'robots.txt',
  'sitemap.xml',
  'sitemap-pages.xml',
  'llms.txt',
  'llms-full.txt',
  'rss.xml',
  'favicon.ico',
];

/** Served at the default address, or kept for what will be. */
const RESERVED_AT_ROOT = [
  ...RESERVED_ON_SITES,
  'v1',
  'app',
  'api',
  'avatars',
  'invite',
  'invites',
  'reference',
  'openapi.json',
  'openapi.yaml',
  'healthz',
  'readyz',
  'metrics',
  'mcp',
  'sso',
  'saml',
  'oauth',
  'login',
  'logout',
  'sign-in',
  'sign-out',
  'sign-up',
  'assets',
  'static',
  'files',
  'octavo',
  'index.html',
];

export type PathKind = 'basename' | 'section' | 'site space';

const reservedFor = (kind: PathKind): ReadonlySet<string> =>
  new Set(kind === 'basename' ? RESERVED_AT_ROOT : RESERVED_ON_SITES);

/** The requested path in its canonical form: lower case. 400 for one that is not a plain segment of a URL. */
export function requirePath(wanted: string, kind: PathKind, member: string): string {
  const slug = chosenSlug(wanted);
  const isPlain = slug && slug === normalize(wanted).toLowerCase() && !slug.includes('..');
  if (!isPlain) {
    const advice = slug && !slug.includes('..') ? ` Use for example "${slug}".` : '';
    throw refused(member, `must be one segment of letters, digits, "-", "_" and "."`, advice);
  }
  if (reservedFor(kind).has(slug)) throw refused(member, `must not be the reserved name "${slug}"`, '');
  return slug;
}

const refused = (member: string, rule: string, advice: string) =>
  badRequest(`body.${member}: ${rule}.${advice}`, [{ path: `body.${member}`, rule }]);

/** A path made from a title that is not taken: a number is appended if it is. */
export function freePath(title: string, kind: PathKind, taken: ReadonlySet<string>): string {
  const reserved = reservedFor(kind);
  return uniqueSlug(basePath(title, kind), (folded) => taken.has(folded) || reserved.has(folded));
}

const basePath = (title: string, kind: PathKind): string => slugOf(title) || FALLBACK[kind];

/** The prefix of all paths of this title: a number may replace the end of a long one. */
export const commonPrefix = (title: string, kind: PathKind): string => basePath(title, kind).slice(0, 80);

const FALLBACK: Readonly<Record<PathKind, string>> = {
  basename: 'site',
  section: 'section',
  'site space': 'space',
};
