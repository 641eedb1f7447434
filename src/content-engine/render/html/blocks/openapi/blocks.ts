import { documentOfBlocks, summaryOf, type BlockOf } from '../../../../document/index.ts';
import { othersMarkdown } from '../../../../evaluation/index.ts';
import { serverUrl, type ModelView, type OperationView, type ServerView } from '../../../../openapi/index.ts';
import type { Context, Renderer } from '../../context.ts';
import { anchor, targetOf, titleOf } from '../../inlines/links.ts';
import { element, type HtmlNode } from '../../node.ts';
import type { OpenAPIBlock, OpenAPIShown } from '../../options.ts';
import { fill } from '../../words.ts';
import { codeOf, examples } from './examples.ts';
import { described } from './description.ts';
import { schemaOf } from './schema.ts';
import { tryButton } from './try-it.ts';
import { sections } from './sections.ts';

/** Parts of OpenAPI specifications, which an option of the renderer gives. */

const TONES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    get: 'info',
    post: 'success',
    put: 'warning',
    patch: 'warning',
    delete: 'danger',
  }),
);

type SchemasBlock = BlockOf<'openapi-schemas'>;
type Operation = Exclude<OpenAPIBlock, SchemasBlock>;

export const operation: Renderer<Operation> = (context, block) => {
  context.page.needs.add('openapi');
  const { method } = block.data;
  const path = 'path' in block.data ? block.data.path : block.data.name;
  const found = context.options.openapi?.(block);
  const view = found?.views[0];
  if (!found || !view || view.kind === 'info' || view.kind === 'schema')
    return element(
      'section',
      { class: 'api full' },
      endpoint(method, path),
      found
        ? element('p', { class: 'removed' }, fill(context.words.removedOperation, { spec: found.spec }))
        : sourceOf(context, block),
    );
  const head = title(context, view);
  const isDeep = context.page.heading.level > (head.id === undefined ? 2 : 1);
  const heading = isDeep ? ('h4' as const) : ('h3' as const);
  const shown = { spec: found.spec, isOpen: view.expandsModels === true, heading };
  return element(
    'section',
    { class: 'api full', id: head.ownId, 'aria-labelledby': head.id },
    head.node,
    endpoint(view.method, view.path, view.servers[0], tryButton(context, view)),
    body(sections(context, shown, view), examples(context, view)),
  );
};

interface Head {
  /** Of the heading; undefined: it is above the block. */
  readonly id?: string;
  /** Of the block, if its heading has none. */
  readonly ownId?: string;
  readonly node: HtmlNode;
}

/** A heading of the page, unless the one above the block has its title, or the page has that of its only operation. */
function title(context: Context, view: OperationView): Head {
  const { page, words } = context;
  const id = page.idOf(anchorOf(view), true) ?? page.newId('api');
  const badges = element(
    'div',
    { class: 'badges' },
    view.deprecated
      ? element('span', { class: 'badge', 'data-tone': 'warning' }, words.deprecated)
      : undefined,
    view.stability === undefined
      ? undefined
      : element('span', { class: 'badge', 'data-tone': 'info' }, view.stability),
  );
  const isTitle = view.title === context.options.pageTitle && page.outline.length === 0;
  if (isTitle && isBeginning(context.options.pageDescription, view.description)) page.saysDescription = true;
  if (view.title === page.heading.title) return { ownId: id, node: badges };
  const level = page.heading.level < 2 ? 'h2' : 'h3';
  if (context.isInOutline && !isTitle) page.addToOutline({ id, title: view.title, level: 2 });
  const link = element('a', { href: `#${id}` }, view.title);
  return { id, node: [element(level, { id, class: isTitle ? 'hidden' : undefined }, link), badges] };
}

/** Whether the description of a page, which may be cut, is the first paragraph of that of its operation. */
function isBeginning(beginning: string | undefined, description: string | undefined): boolean {
  if (beginning === undefined || description === undefined) return false;
  const first = summaryOf(documentOfBlocks([...othersMarkdown(description)]), Infinity);
  return beginning.endsWith('…') ? first?.startsWith(beginning.slice(0, -1)) === true : first === beginning;
}

const anchorOf = ({ operationId, method, path }: OperationView): string =>
  (operationId ?? `${method} ${path}`)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 100);

const endpoint = (method: string, path: string, server?: ServerView, button?: HtmlNode): HtmlNode =>
  element(
    'div',
    { class: 'api-path' },
    element(
      'span',
      { class: 'method', 'data-tone': TONES.get(method.toLowerCase()) ?? 'neutral' },
      method.toUpperCase(),
    ),
    element(
      'code',
      {},
      server === undefined ? undefined : element('span', {}, serverUrl(server)),
      pathOf(path),
    ),
    button,
  );

/** Parameters of a path are marked. */
const pathOf = (path: string): HtmlNode =>
  path.split(/(\{[^{}]*\})/).map((part, index) => (index % 2 === 1 ? element('var', {}, part) : part));

const body = (main: HtmlNode, aside: HtmlNode): HtmlNode =>
  element(
    'div',
    { class: 'api-body' },
    element('div', { class: 'flow' }, main),
    aside === undefined ? undefined : element('div', { class: 'aside flow' }, aside),
  );

export const schemas: Renderer<SchemasBlock> = (context, block) => {
  context.page.needs.add('openapi');
  const found = context.options.openapi?.(block);
  if (!found) {
    const names = block.data.schemas.map((name) => element('li', {}, element('code', {}, name)));
    return element('section', { class: 'api full' }, element('ul', {}, names), sourceOf(context, block));
  }
  return block.data.schemas.map((name, index) => () => model(context, found, name, found.views[index]));
};

function model(
  context: Context,
  { spec }: OpenAPIShown,
  name: string,
  view: OpenAPIShown['views'][number],
): HtmlNode {
  const { page, words } = context;
  const id = page.models.get(`${spec} ${name}`);
  const level = page.heading.level < 2 ? 'h2' : 'h3';
  const isTitle = name === context.options.pageTitle && page.outline.length === 0;
  if (id !== undefined && context.isInOutline && !isTitle) page.addToOutline({ id, title: name, level: 2 });
  const text = id === undefined ? name : element('a', { href: `#${id}` }, name);
  const heading = element(level, { id, class: isTitle ? 'hidden' : undefined }, text);
  if (view?.kind !== 'schema')
    return element(
      'section',
      { class: 'api full' },
      heading,
      element('p', { class: 'removed' }, fill(words.removedModel, { name, spec })),
    );
  return element(
    'section',
    { class: 'api full', 'aria-labelledby': id },
    heading,
    modelBody(context, spec, view),
  );
}

const modelBody = (context: Context, spec: string, { name, schema, example }: ModelView): HtmlNode =>
  body(
    [
      described(context, schema.description),
      schemaOf(context, { spec, isOpen: false, heading: 'h3' }, schema, name),
    ],
    example === undefined ? undefined : codeOf(context, { language: 'json', source: example }),
  );

/** Where the specification can be read, if it cannot be shown. */
function sourceOf(context: Context, { data: { ref } }: OpenAPIBlock): HtmlNode {
  const target = targetOf(context, ref);
  if (!target) return undefined;
  const text = titleOf(target, ref);
  return text === '' ? undefined : element('p', {}, anchor(context, ref, {}, text) ?? text);
}
