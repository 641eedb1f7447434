import { headersFor } from '../../platform/files/index.ts';
import { page, type PageAnswer, type Visit } from '../../platform/http/pages/page.ts';
import { findImage, integrationExists } from './store.ts';

const NOT_FOUND: PageAnswer = { status: 404, type: 'text/plain; charset=utf-8', body: 'Not found.\n' };

/** Icons and preview images. Their ids cannot be guessed, and change with each publication. */
export const integrationImagePage = page({
  method: 'GET',
  path: '/~integrations/{integrationName}/images/{imageId}',
  host: 'service',
  limit: 'none',
  isUncompressed: true,
  async handle({ ctx, params }) {
    const { integrationName = '', imageId = '' } = params;
    const image = await findImage(ctx.db, integrationName, imageId);
    if (!image) return NOT_FOUND;
    const name = `${imageId}.${image.content_type.replace('image/', '')}`;
    return {
      status: 200,
      type: image.content_type,
      headers: headersFor(image.content_type, name),
      cacheControl: 'public, max-age=31536000, immutable',
      etag: `"${imageId}"`,
      body: image.content,
    };
  },
});

const NOT_RUN: PageAnswer = {
  status: 501,
  type: 'text/plain; charset=utf-8',
  body: 'This server stores the scripts of integrations and does not run them: the integration has no HTTP endpoint here.\n',
};

/** `urls.publicEndpoint`, and all below it, with any method. */
const endpointPage = (rest: '' | '/*') => {
  const answer = async ({ ctx, params }: Pick<Visit, 'ctx' | 'params'>) =>
    (await integrationExists(ctx.db, params['integrationName'] ?? '')) ? NOT_RUN : NOT_FOUND;
  return page({
    method: 'GET',
    path: `/~integrations/{integrationName}/endpoint${rest}`,
    host: 'service',
    handle: answer,
    answerOtherMethod: answer,
  });
};

export const integrationEndpointPages = [endpointPage(''), endpointPage('/*')];
