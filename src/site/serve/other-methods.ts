import { methodNotAllowed } from '../../platform/api/errors.ts';
import type { PageAnswer, Visit } from '../../platform/http/pages/page.ts';
import { hasFeed } from '../feeds/index.ts';
import type { ServedSite } from '../read/find-site.ts';
import { locate } from '../read/locate.ts';
import { currentVisitor, openPreview } from '../read/preview.ts';
import { answerAccess, answerNotFound } from './answer-page.ts';
import { siteRequest } from './request.ts';

export const READING: readonly string[] = ['GET', 'HEAD'];

/** The reserved addresses that take a POST, with all their methods. */
const POSTED: readonly (readonly [path: RegExp, methods: readonly string[]])[] = [
  [/^\/~octavo\/feedback$/, ['POST']],
  [/^\/~octavo\/mcp$/, [...READING, 'POST']],
];

/** A method that pages do not have: 405 where GET shows something, and the refusal of GET everywhere else. Undefined: for this visitor, there is no site. */
export async function answerOtherMethod(
  visit: Visit,
  served: ServedSite,
  method: string,
): Promise<PageAnswer | undefined> {
  const { ctx } = visit;
  const { site, path } = served;
  const visitor = await currentVisitor(ctx, site, visit.cookies);
  const previewed = visitor.previewer === undefined ? served : await openPreview(ctx, served, visitor);
  if (!previewed || visitor.refusal === 'not-published') return undefined;
  const request = await siteRequest(visit, previewed, visitor);
  if (visitor.refusal) return answerAccess(request, visitor.refusal);
  const posted = POSTED.find(([pattern]) => pattern.test(path))?.[1];
  if (posted) return refuseMethod(visit, method, posted);
  if (hasFeed(path)) return refuseMethod(visit, method, READING);
  const located = await locate(ctx, request.reader, request.addresses, path);
  return located.kind === 'missing'
    ? answerNotFound(request, located.siteSpace)
    : refuseMethod(visit, method, READING);
}

/** OPTIONS asks which methods there are, or, from a script of another origin, to read the page: that is refused. */
export function refuseMethod(
  { headers }: Pick<Visit, 'headers'>,
  method: string,
  methods: readonly string[],
): PageAnswer {
  if (method !== 'OPTIONS' || headers['access-control-request-method'] !== undefined)
    throw methodNotAllowed(method, methods);
  return { status: 204, body: '', headers: { allow: [...methods, 'OPTIONS'].join(', ') } };
}
