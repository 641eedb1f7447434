import type { Visit } from '../../../platform/http/pages/page.ts';
import { decodeSegment } from '../../../domains/redirects/index.ts';
import type { ServedSite } from '../../read/find-site.ts';
import {
  CLAIMS_COOKIE,
  hasKey,
  identifyVisitor,
  SHARE_COOKIE,
  TOKEN_COOKIE,
  type Visitor,
} from '../../read/visitor.ts';

/**
 * The visitor for whom an agent reads. Agents have no cookies: they send the JWT in a header, and the key of a share link in
 * the path. Previews are for browsers only.
 */
export async function identifyAgent(
  visit: Visit,
  found: ServedSite,
): Promise<{ readonly visitor: Visitor; readonly served: ServedSite }> {
  const [, segment = '', rest = ''] = /^\/([^/]+)(\/.*)$/s.exec(found.path) ?? [];
  const given = decodeSegment(segment);
  const key = hasKey(visit.ctx, found.site, given) ? given : undefined;
  const visitor = await identifyVisitor(visit.ctx, found.site, credentialsOf(visit, key));
  return { visitor, served: key === undefined ? found : { ...found, path: rest } };
}

function credentialsOf({ cookies, headers, query }: Visit, key: string | undefined): Map<string, string> {
  const bearer = /^Bearer +(\S+)$/i.exec(headers['authorization'] ?? '')?.[1];
  const credentials: readonly (readonly [name: string, value: string | undefined])[] = [
    [SHARE_COOKIE, key ?? cookies.get(SHARE_COOKIE)],
    [TOKEN_COOKIE, bearer ?? query.get('jwt_token') ?? cookies.get(TOKEN_COOKIE)],
    [CLAIMS_COOKIE, cookies.get(CLAIMS_COOKIE)],
  ];
  return new Map(credentials.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}
