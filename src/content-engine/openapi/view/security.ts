import { isObject, type JsonObject } from '../parse.ts';
import { compact, entries, list, strings, type Reader } from './reader.ts';
import { schemeOfTwo, serversOfTwo } from './version-two.ts';
import type { SecurityView, ServerView } from './view.ts';

const MAX_ALTERNATIVES = 10;
const MAX_SERVERS = 10;

/** The alternatives of an operation, or those of the document. */
export function securityOf(reader: Reader, operation: JsonObject): SecurityView[][] {
  const required = operation['security'] ?? reader.root['security'];
  return list(required)
    .slice(0, MAX_ALTERNATIVES)
    .map((alternative) =>
      entries(alternative)
        .slice(0, MAX_ALTERNATIVES)
        .flatMap(([name, scopes]) => schemeOf(reader, name, scopes) ?? []),
    );
}

const TYPES: ReadonlySet<unknown> = new Set(['apiKey', 'http', 'oauth2', 'openIdConnect', 'mutualTLS']);
const KEY_PLACES: ReadonlySet<unknown> = new Set(['header', 'query', 'cookie']);

function schemeOf(reader: Reader, name: string, scopes: unknown): SecurityView | undefined {
  const { components, securityDefinitions } = reader.root;
  const schemes = isObject(components) ? components['securitySchemes'] : securityDefinitions;
  if (!isObject(schemes) || !Object.hasOwn(schemes, name)) return undefined;
  const scheme = schemeOfTwo(reader.object(schemes[name]));
  if (!TYPES.has(scheme['type'])) return undefined;
  const place = KEY_PLACES.has(scheme['in']) ? (scheme['in'] as SecurityView['in']) : 'header';
  const isKey = scheme['type'] === 'apiKey';
  const named = strings(scopes).slice(0, 30);
  const urls = urlsOf(reader, scheme);
  return compact<SecurityView>({
    name: reader.line(name) ?? '',
    type: scheme['type'] as SecurityView['type'],
    description: reader.text(scheme['description']),
    in: isKey && place,
    key: isKey && reader.line(scheme['name']),
    scheme: scheme['type'] === 'http' && (reader.line(scheme['scheme'])?.toLowerCase() ?? 'bearer'),
    prefix: reader.line(scheme['x-gitbook-prefix']),
    placeholder: reader.line(scheme['x-gitbook-token-placeholder']),
    scopes: named.length > 0 && named.flatMap((scope) => reader.line(scope) ?? []),
    urls: urls.length > 0 && urls,
  });
}

function urlsOf(reader: Reader, scheme: JsonObject): { name: string; url: string }[] {
  const flows = entries(scheme['flows']).flatMap(([, flow]) => entries(flow));
  return [...flows, ...entries(scheme)]
    .filter(([name]) => /^(authorization|token|openIdConnect)Url$/.test(name))
    .flatMap(([name, value]) => {
      const url = reader.line(value);
      return url === undefined ? [] : [{ name, url }];
    })
    .filter((one, index, all) => all.findIndex((other) => other.url === one.url) === index)
    .slice(0, 6);
}

/** The servers of the innermost object that has some. */
export function serversOf(reader: Reader, ...owners: readonly JsonObject[]): ServerView[] {
  const own = owners.find((owner) => list(owner['servers']).length > 0)?.['servers'];
  return list(own ?? serversOfTwo(reader.root))
    .slice(0, MAX_SERVERS)
    .flatMap((one) => {
      const server = reader.object(one);
      const url = reader.line(server['url'])?.replace(/\/$/, '');
      if (url === undefined || url === '') return [];
      const variables = entries(server['variables'])
        .slice(0, 20)
        .map(([name, variable]) => variableOf(reader, name, variable));
      return [
        compact<ServerView>({
          url,
          description: reader.text(server['description'], 500),
          variables: variables.length > 0 && variables,
        }),
      ];
    });
}

function variableOf(reader: Reader, name: string, value: unknown) {
  const variable = reader.object(value);
  const values = strings(variable['enum'])
    .slice(0, 50)
    .flatMap((one) => reader.line(one) ?? []);
  return {
    name: reader.line(name) ?? '',
    default: reader.line(variable['default']) ?? values[0] ?? '',
    ...(values.length > 0 && { enum: values }),
  };
}
