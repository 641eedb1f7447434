import type { ContentView, OperationView, ParameterView, SecurityView, ServerView } from '../view/view.ts';

/** A request as an example. Placeholders stand for what the reader must know: `YOUR_TOKEN`. */
export interface ExampleRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body?: ExampleBody;
}

export type ExampleBody =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'form'; readonly fields: readonly (readonly [name: string, value: string])[] };

const FORM = 'multipart/form-data';
const URL_ENCODED = 'application/x-www-form-urlencoded';

/** The server with its variables replaced by their defaults. Without one, the path is relative. */
export const serverUrl = ({ url, variables = [] }: ServerView): string =>
  variables.reduce((text, variable) => text.replaceAll(`{${variable.name}}`, variable.default), url);

/** The first alternative that needs authentication. */
export const usedSecurity = ({ security }: OperationView): readonly SecurityView[] =>
  security.find((schemes) => schemes.length > 0) ?? [];

export function exampleRequest(view: OperationView): ExampleRequest {
  const [server] = view.servers;
  const content = view.body?.contents[0];
  const headers: [string, string][] = [];
  const query: string[] = [];
  for (const scheme of usedSecurity(view)) authorise(scheme, headers, query);
  if (content && content.mediaType !== FORM) headers.push(['Content-Type', content.mediaType]);
  for (const parameter of view.parameters) {
    if (!parameter.required) continue;
    if (parameter.in === 'header') headers.push([parameter.name, exampleOf(parameter)]);
    if (parameter.in === 'cookie') headers.push(['Cookie', `${parameter.name}=${exampleOf(parameter)}`]);
    if (parameter.in === 'query')
      query.push(`${encodeURIComponent(parameter.name)}=${encodeURIComponent(exampleOf(parameter))}`);
  }
  const body = content && bodyOf(content);
  return {
    method: view.method,
    url: `${server ? serverUrl(server) : ''}${pathOf(view)}${query.length > 0 ? `?${query.join('&')}` : ''}`,
    headers,
    ...(body && { body }),
  };
}

/** Parameters of the path by their examples; those that have none keep their name. */
function pathOf({ path, parameters }: OperationView): string {
  const values = new Map(
    parameters.flatMap((one) => (one.in === 'path' ? [[one.name, one]] : [])) as [string, ParameterView][],
  );
  return path.replaceAll(/\{([^{}]+)\}/g, (whole, name: string) => {
    const example = values.get(name)?.example;
    return example === undefined ? whole : encodeURIComponent(example);
  });
}

const exampleOf = ({ name, example, schema }: ParameterView): string =>
  example ?? unquoted(schema.example ?? schema.default ?? schema.enum?.[0]?.value) ?? `{${name}}`;

const unquoted = (json: string | undefined): string | undefined => json?.replaceAll(/^"|"$/g, '');

function authorise(scheme: SecurityView, headers: [string, string][], query: string[]): void {
  const token = scheme.placeholder ?? 'YOUR_TOKEN';
  if (scheme.type === 'apiKey') {
    const key = scheme.key ?? scheme.name;
    const value = `${scheme.prefix === undefined ? '' : `${scheme.prefix} `}${scheme.placeholder ?? 'YOUR_API_KEY'}`;
    if (scheme.in === 'query') query.push(`${encodeURIComponent(key)}=${encodeURIComponent(value)}`);
    else headers.push(scheme.in === 'cookie' ? ['Cookie', `${key}=${value}`] : [key, value]);
  } else if (scheme.type === 'http' && scheme.scheme === 'basic') {
    headers.push(['Authorization', `Basic ${scheme.placeholder ?? 'BASE64_OF_USER_AND_PASSWORD'}`]);
  } else if (scheme.type !== 'mutualTLS') {
    headers.push(['Authorization', `${scheme.prefix ?? 'Bearer'} ${token}`]);
  }
}

function bodyOf({ mediaType, examples, schema }: ContentView): ExampleBody | undefined {
  const text = examples[0]?.text;
  if (mediaType !== FORM && mediaType !== URL_ENCODED)
    return text === undefined ? undefined : { kind: 'text', text };
  const values = text === undefined ? {} : objectIn(text);
  const names =
    Object.keys(values).length > 0 ? Object.keys(values) : (schema?.properties ?? []).map(({ name }) => name);
  return { kind: 'form', fields: names.map((name) => [name, valueText(values[name])]) };
}

function objectIn(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

const valueText = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);
