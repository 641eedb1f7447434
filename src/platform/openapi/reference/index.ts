import { readFile } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';
import { assetFile } from '../../assets.ts';
import { CONTENT_SECURITY_POLICY, referencePage } from './page.ts';
import { sendFile, staticFile } from './static-file.ts';

const JSON_PATH = '/openapi.json';
const YAML_PATH = '/openapi.yaml';
const PAGE_PATH = '/reference';

const CURRENT = { 'cache-control': 'no-cache' };
const FOREVER = { 'cache-control': 'public, max-age=31536000, immutable' };

/** Only at the service's own host: at their own hostnames, sites may have pages with these paths. */
const AT_SERVICE = { constraints: { hostKind: 'service' } };

/**
 * The OpenAPI document, and a page to read and try it. Both are built on the first request; nothing is loaded from another
 * host.
 */
export async function registerReference(
  app: FastifyInstance,
  basePath: string,
  document: () => object,
): Promise<void> {
  const json = staticFile({ ...CURRENT, 'content-type': 'application/json; charset=utf-8' }, async () =>
    JSON.stringify(document()),
  );
  const yaml = staticFile({ ...CURRENT, 'content-type': 'application/yaml; charset=utf-8' }, async () => {
    const { stringify } = await import('yaml');
    return stringify(document(), { aliasDuplicateObjects: false, lineWidth: 0 });
  });
  const script = staticFile({ ...FOREVER, 'content-type': 'text/javascript; charset=utf-8' }, () =>
    readFile(assetFile('reference.js')),
  );
  const scriptName = async () => `scalar-${await script.hash()}.js`;
  const page = staticFile(
    {
      ...CURRENT,
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': CONTENT_SECURITY_POLICY,
      'referrer-policy': 'no-referrer',
    },
    async () => referencePage(basePath, `${PAGE_PATH}/${await scriptName()}`, JSON_PATH),
  );

  app.get(JSON_PATH, AT_SERVICE, (request, reply) => sendFile(request, reply, json));
  app.get(YAML_PATH, AT_SERVICE, (request, reply) => sendFile(request, reply, yaml));
  app.get(PAGE_PATH, AT_SERVICE, (request, reply) => sendFile(request, reply, page));
  app.get<{ Params: { file: string } }>(`${PAGE_PATH}/:file`, AT_SERVICE, async (request, reply) => {
    if (request.params.file !== (await scriptName())) return reply.callNotFound();
    return sendFile(request, reply, script);
  });
}
