import { serverUrl, usedSecurity, type OperationView } from '../../../../openapi/index.ts';
import type { Context } from '../../context.ts';
import { element, type HtmlNode } from '../../node.ts';

/** Hosts as URLs have them. Others could end the directive of the policy. */
const ORIGIN = /^https?:\/\/[a-z0-9.-]+(:\d+)?$/;

/** A button that opens a form, for operations at servers with an address. The script of the form is loaded on use. */
export function tryButton(context: Context, view: OperationView): HtmlNode {
  if (view.hidesTryIt) return undefined;
  const servers = view.servers.map(serverUrl).filter((url) => originOf(url) !== undefined);
  if (servers.length === 0) return undefined;
  for (const url of servers) context.page.connects.add(originOf(url) ?? '');
  const { words } = context;
  const [content] = view.body?.contents ?? [];
  const request = {
    method: view.method,
    path: view.path,
    servers,
    parameters: view.parameters
      .filter((one) => one.in !== 'cookie')
      .map(({ name, in: place, required, example }) => ({ name, in: place, required, example })),
    security: usedSecurity(view)
      .filter((scheme) => scheme.type !== 'mutualTLS' && scheme.in !== 'cookie')
      .map(({ name, type, in: place, key, scheme, prefix }) => ({
        name,
        type,
        in: place,
        key,
        scheme,
        prefix,
      })),
    body: content && { type: content.mediaType, text: content.examples[0]?.text ?? '' },
    words: { send: words.send, server: words.server, body: words.requestBody, failed: words.requestFailed },
  };
  return element(
    'button',
    { type: 'button', class: 'button small needs-js', 'data-try': JSON.stringify(request) },
    words.tryIt,
  );
}

function originOf(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { origin } = new URL(url);
  return ORIGIN.test(origin) ? origin : undefined;
}
