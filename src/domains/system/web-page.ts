import { html, plainPage } from '../../platform/http/pages/html.ts';
import { page } from '../../platform/http/pages/page.ts';
import { VERSION } from '../../platform/version.ts';

export const homePage = page({
  method: 'GET',
  path: '/',
  handle: async ({ ctx }) => ({
    status: 200,
    body: plainPage(
      'Octavo',
      html`<h1>Octavo is running</h1>
        <p>Version ${VERSION}. The API is at <code>${ctx.addresses.of('/v1/')}</code>.</p>
        <p>
          Read and try every operation in the <a href="${ctx.addresses.base}/reference">API reference</a>, or
          download <a href="${ctx.addresses.base}/openapi.json">openapi.json</a>.
        </p>
        <pre><code>curl -H "Authorization: Bearer $TOKEN" ${ctx.addresses.of('/v1/user')}</code></pre>`,
    ),
  }),
});

/** The target of `urls.app` of every object. There is no editor yet, so the page links to the object in the API. */
export const appPage = page({
  method: 'GET',
  path: '/app/*',
  handle: async ({ ctx, params }) => {
    const location = ctx.addresses.of(`/v1/${params['*'] ?? ''}`);
    return {
      status: 200,
      body: plainPage(
        'Octavo',
        html`<h1>Use the API</h1>
          <p>Octavo has no web editor yet. Read and change this resource at <code>${location}</code>.</p>
          <p>See the <a href="${ctx.addresses.base}/reference">API reference</a>.</p>`,
      ),
    };
  },
});
