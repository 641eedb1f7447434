import type {
  ContentView,
  HeaderView,
  OperationView,
  ParameterPlace,
  ResponseView,
  SecurityView,
} from '../../../../openapi/index.ts';
import { fill } from '../../words.ts';
import type { Context } from '../../context.ts';
import { icon } from '../../inlines/icons.ts';
import { hrefAttributes } from '../../inlines/links.ts';
import { element, type HtmlNode } from '../../node.ts';
import { described } from './description.ts';
import { fields, schemaOf, type Field, type Shown } from './schema.ts';

/** The parts of an operation that are read: everything but its examples. */
export function sections(context: Context, shown: Shown, view: OperationView): HtmlNode {
  const { words } = context;
  const body = view.body;
  return [
    deprecation(context, view),
    described(context, view.description),
    docs(context, view),
    view.security.some((schemes) => schemes.length > 0)
      ? section(
          shown,
          [words.authentication, view.security.length > 1 ? element('small', {}, words.oneOf) : undefined],
          authentication(context, view.security),
        )
      : undefined,
    parameters(context, shown, view),
    body
      ? section(
          shown,
          [
            view.kind === 'webhook' ? words.payload : words.requestBody,
            mediaTypes(body.contents),
            body.required ? required(context) : undefined,
          ],
          [described(context, body.description), contents(context, shown, body.contents)],
        )
      : undefined,
    responses(context, shown, view),
  ];
}

const section = ({ heading }: Shown, title: HtmlNode, content: HtmlNode): HtmlNode =>
  element('section', {}, element(heading, {}, title), content);

const required = ({ words }: Context): HtmlNode =>
  element('small', { class: 'required', 'data-tone': 'danger' }, words.required);

function deprecation({ words, locale }: Context, { deprecated, sunset }: OperationView): HtmlNode {
  if (!deprecated || sunset === undefined) return undefined;
  const date = new Date(`${sunset}T00:00:00Z`);
  const text = Number.isNaN(date.getTime())
    ? sunset
    : date.toLocaleDateString(locale, { dateStyle: 'long', timeZone: 'UTC' });
  return element(
    'p',
    { class: 'sunset', 'data-tone': 'warning' },
    fill(words.deprecatedUntil, { date: text }),
  );
}

function docs(context: Context, { docs: link }: OperationView): HtmlNode {
  const attributes = link && hrefAttributes(context, link.url);
  return (
    attributes && element('p', {}, element('a', attributes, link.description ?? context.words.moreAbout))
  );
}

const authentication = (context: Context, security: OperationView['security']): HtmlNode => {
  const isOptional = security.some((schemes) => schemes.length === 0);
  const shown = security.filter((schemes) => schemes.length > 0);
  return element(
    'ul',
    { class: 'fields' },
    shown.map((schemes) =>
      element(
        'li',
        {},
        schemes.map((scheme) => schemeOf(context, scheme)),
      ),
    ),
    isOptional ? element('li', {}, element('small', {}, context.words.optional)) : undefined,
  );
};

const schemeOf = (context: Context, scheme: SecurityView): HtmlNode => [
  element(
    'div',
    { class: 'field' },
    element('code', {}, scheme.key ?? (scheme.type === 'mutualTLS' ? scheme.name : 'Authorization')),
    element('small', {}, kindOf(scheme)),
  ),
  described(context, scheme.description),
  scheme.scopes
    ? element(
        'dl',
        { class: 'facts' },
        element(
          'div',
          {},
          element('dt', {}, 'Scopes'),
          element(
            'dd',
            {},
            scheme.scopes.map((scope, index) => [index > 0 ? ' ' : '', element('code', {}, scope)]),
          ),
        ),
      )
    : undefined,
];

function kindOf({ type, in: place, scheme, name, prefix }: SecurityView): string {
  if (type === 'apiKey') return `${name} · API key · ${place ?? 'header'}`;
  if (type === 'http')
    return `${name} · ${scheme === 'basic' ? 'HTTP Basic' : `HTTP ${prefix ?? (scheme === 'bearer' ? 'Bearer' : (scheme ?? ''))}`}`;
  return `${name} · ${type === 'oauth2' ? 'OAuth 2.0' : type === 'openIdConnect' ? 'OpenID Connect' : 'Mutual TLS'}`;
}

function parameters(context: Context, shown: Shown, view: OperationView): HtmlNode {
  const { words } = context;
  const titles: Readonly<Record<ParameterPlace, string>> = {
    path: words.pathParameters,
    query: words.queryParameters,
    header: words.headers,
    cookie: words.cookies,
  };
  return (Object.keys(titles) as ParameterPlace[]).map((place) => {
    const all = view.parameters.filter((one) => one.in === place);
    return all.length === 0 ? undefined : section(shown, titles[place], fields(context, shown, all));
  });
}

const mediaTypes = (contents: readonly ContentView[]): HtmlNode =>
  element(
    'small',
    {},
    contents.slice(0, 1).map(({ mediaType }) => mediaType),
  );

/** Media types with the same schema are shown once. */
function contents(context: Context, shown: Shown, all: readonly ContentView[]): HtmlNode {
  const groups = new Map<string, ContentView[]>();
  for (const one of all) {
    const key = JSON.stringify(one.schema ?? null);
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return Array.from(groups.values(), (group, index) => {
    const [first] = group;
    if (!first?.schema) return undefined;
    const shownSchema = schemaOf(context, shown, first.schema);
    if (index === 0) return shownSchema;
    const title = group.map(({ mediaType }) => mediaType).join(', ');
    return element(
      'details',
      { class: 'inside' },
      element('summary', {}, icon(context, 'next', 'flip'), title),
      shownSchema,
    );
  });
}

export const toneOf = (status: string): string =>
  status.startsWith('2')
    ? 'success'
    : /^[13]/.test(status)
      ? 'info'
      : status.startsWith('4')
        ? 'warning'
        : status.startsWith('5')
          ? 'danger'
          : 'neutral';

/** By status: the browser opens one of those with the same name. */
function responses(
  context: Context,
  shown: Shown,
  { responses: all, expandsResponses }: OperationView,
): HtmlNode {
  if (all.length === 0) return undefined;
  const name = expandsResponses ? undefined : context.page.newId('responses');
  return section(
    shown,
    context.words.responses,
    element(
      'div',
      { class: 'responses' },
      all.map(
        (response, index) => () =>
          responseOf(context, shown, response, { name, open: expandsResponses || index === 0 }),
      ),
    ),
  );
}

function responseOf(
  context: Context,
  shown: Shown,
  response: ResponseView,
  attributes: { name: string | undefined; open: boolean },
): HtmlNode {
  const text = response.description;
  const isShort = text !== undefined && text.length <= 80 && !/[\n*_`[<]/.test(text);
  const headers: Field[] = response.headers.map(({ name, ...header }: HeaderView) => ({ name, ...header }));
  const summary = element(
    'summary',
    {},
    element('span', { class: 'badge', 'data-tone': toneOf(response.status) }, response.status),
    element('span', {}, isShort ? text : ''),
    icon(context, 'next', 'flip'),
  );
  const inner = [
    isShort ? undefined : described(context, text),
    headers.length > 0
      ? element(
          'details',
          { class: 'inside' },
          element('summary', {}, icon(context, 'next', 'flip'), context.words.headers),
          fields(context, shown, headers),
        )
      : undefined,
    contents(context, shown, response.contents),
  ];
  return element('details', attributes, summary, element('div', { class: 'flow' }, inner));
}
