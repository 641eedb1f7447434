import { html, plainPage } from '../../platform/http/html.ts';
import { page } from '../../platform/http/page.ts';
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
          Every operation, to read and to try: <a href="${ctx.addresses.base}/reference">the reference</a>. As
          a document: <a href="${ctx.addresses.base}/openapi.json">openapi.json</a>.
        </p>
        <pre><code>curl -H "Authorization: Bearer $TOKEN" ${ctx.addresses.of('/v1/user')}</code></pre>`,
    ),
  }),
});

/** `urls.app` of every object leads here: there is no editor, so it says where the object itself is. */
export const appPage = page({
  method: 'GET',
  path: '/app/*',
  handle: async ({ ctx, params }) => {
    const location = ctx.addresses.of(`/v1/${params['*'] ?? ''}`);
    return {
      status: 200,
      body: plainPage(
        'Octavo',
        html`<h1>This is managed through the API</h1>
          <p>You can read and change it at <code>${location}</code>.</p>
          <p>How, is in <a href="${ctx.addresses.base}/reference">the reference</a>.</p>`,
      ),
    };
  },
});
