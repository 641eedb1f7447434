import { policyText, STRICT_POLICY } from '../../platform/api/content-security-policy.ts';
import { etagOf } from '../../platform/api/etag.ts';
import type { PageAnswer } from '../../platform/http/pages/page.ts';
import type { CachedPage } from '../read/caches.ts';
import { SPECIFICATIONS } from '../read/published-site.ts';
import { cachedOr } from '../serve/cached-page.ts';
import { answerWith, type SiteRequest } from '../serve/request.ts';

export const XML = 'application/xml; charset=utf-8';
export const PLAIN = 'text/plain; charset=utf-8';

const preparedText = (request: SiteRequest, type: string, text: string): CachedPage => {
  const body = Buffer.from(text);
  const revisions = new Map(request.site.site_spaces.map(({ spaceId, revisionId }) => [spaceId, revisionId]));
  revisions.set(SPECIFICATIONS, request.site.specifications);
  return {
    body,
    etag: `W/${etagOf(request.site.version, body)}`,
    type,
    policy: policyText(STRICT_POLICY),
    revisions,
    files: new Set(),
    page: undefined,
  };
};

/** A text about the whole site, kept until one of its spaces changes. */
export const answerText = async (
  request: SiteRequest,
  what: string,
  type: string,
  make: (signal: AbortSignal) => Promise<string>,
): Promise<PageAnswer> =>
  answerWith(
    request,
    await cachedOr(request, what, async (signal) => preparedText(request, type, await make(signal))),
  );

/** Answers with a text that may be empty: then nothing is at the address, which is cached as well. */
export async function answerTextIfAny(
  request: SiteRequest,
  what: string,
  type: string,
  make: (signal: AbortSignal) => Promise<string>,
): Promise<PageAnswer | undefined> {
  const page = await cachedOr(request, what, async (signal) =>
    preparedText(request, type, await make(signal)),
  );
  return page.body.length === 0 ? undefined : answerWith(request, page);
}

export const escapeXml = (text: string): string =>
  text
    // oxlint-disable-next-line no-control-regex -- XML cannot contain them
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, '')
    .replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
