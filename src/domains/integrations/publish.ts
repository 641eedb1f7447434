import { randomBytes } from 'node:crypto';
import type { Context } from '../../platform/api/context.ts';
import { conflict } from '../../platform/api/errors.ts';
import { readImages } from './images.ts';
import type { Publication } from './schema.ts';
import { sealIntegrationSecret } from './secrets.ts';
import { putIntegration, replaceImages } from './store.ts';

/** The id of the integration. */
export async function publish(
  ctx: Context,
  name: string,
  organizationId: string,
  publication: Publication,
): Promise<string> {
  const images = readImages(publication);
  const scopes = [...new Set(publication.scopes)];
  const secret = (text: string) => sealIntegrationSecret(ctx.keys, name, text);
  const published = await putIntegration(ctx.db, {
    name,
    organizationId,
    publication,
    scopes,
    blockHosts: hostsOf(publication.blocks ?? []),
    secretsSealed: secret(JSON.stringify(publication.secrets ?? {})),
    signingSecretSealed: secret(randomBytes(32).toString('base64url')),
  });
  if (!published)
    throw conflict(
      `The name "${name}" is taken, by another organization or in another spelling. Choose another name.`,
    );
  await replaceImages(ctx.db, published.id, images);
  return published.id;
}

/** The hosts of the URLs that blocks unfurl, which may be patterns: `https://*.example.com/**`. */
function hostsOf(blocks: NonNullable<Publication['blocks']>): string[] {
  const hosts = blocks.flatMap(({ urlUnfurl = [] }) =>
    urlUnfurl.flatMap((pattern) => {
      const [, host] = /^(?:https?:\/\/)?([^/:?#]+)/i.exec(pattern) ?? [];
      return host === undefined ? [] : [host.toLowerCase().replace(/^\*\./, '')];
    }),
  );
  return [...new Set(hosts)];
}
