import { gunzipSync } from 'node:zlib';
import { preferredEncoding } from '../../platform/http/answer/accept-encoding.ts';
import { page, type PageAnswer, type Visit } from '../../platform/http/pages/page.ts';
import { equalsSecret } from '../../platform/keys.ts';
import { signVersion } from './present.ts';
import { findDocument, findPublicDocument } from './store.ts';

const NOT_FOUND: PageAnswer = {
  status: 404,
  type: 'text/plain; charset=utf-8',
  body: 'OpenAPI specification not found.\n',
};

/** `url` of a version: the address is the permission. */
export const versionPage = page({
  method: 'GET',
  path: '/~openapi/versions/{versionId}/{signature}/openapi.json',
  host: 'service',
  limit: 'none',
  isUncompressed: true,
  async handle(visit) {
    const { versionId = '', signature = '' } = visit.params;
    const isGood = equalsSecret(signature, signVersion(visit.ctx.keys, versionId));
    const document = isGood ? await findDocument(visit.ctx.db, versionId) : undefined;
    return answerDocument(visit, versionId, document, 'private, max-age=31536000, immutable');
  },
});

/** `urls.published`: the latest version of a public specification. */
export const publishedPage = page({
  method: 'GET',
  path: '/~openapi/{organizationId}/{slug}/openapi.json',
  host: 'service',
  isUncompressed: true,
  async handle(visit) {
    const { organizationId = '', slug = '' } = visit.params;
    const found = await findPublicDocument(visit.ctx.db, organizationId, slug);
    return answerDocument(visit, found?.id ?? '', found?.document, 'public, max-age=60');
  },
});

/** Readers of specifications are programs in browsers, of any origin. */
function answerDocument(
  { headers }: Pick<Visit, 'headers'>,
  versionId: string,
  document: Buffer | undefined,
  cacheControl: string,
): PageAnswer {
  if (!document) return NOT_FOUND;
  const isCompressed = preferredEncoding(headers['accept-encoding'], ['gzip']) === 'gzip';
  return {
    status: 200,
    type: 'application/json; charset=utf-8',
    cacheControl,
    etag: `"${versionId}${isCompressed ? '-gzip' : ''}"`,
    headers: {
      'access-control-allow-origin': '*',
      vary: 'Accept-Encoding',
      ...(isCompressed && { 'content-encoding': 'gzip' }),
    },
    body: isCompressed ? document : gunzipSync(document),
  };
}
