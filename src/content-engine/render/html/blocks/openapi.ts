import type { BlockOf } from '../../../document/index.ts';
import type { Context, Renderer } from '../context.ts';
import { anchor, targetOf, titleOf } from '../inlines/links.ts';
import { element, type HtmlNode } from '../node.ts';
import type { OpenAPIBlock, OpenAPIContent } from '../options.ts';

/** The layout of parts of an OpenAPI specification. What the specification says is given by an option. */

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
  const content = context.options.openapi?.(block);
  const title = content?.title;
  const line = element(
    'div',
    { class: 'api-path' },
    element(
      'span',
      { class: 'method', 'data-tone': TONES.get(method.toLowerCase()) ?? 'neutral' },
      method.toUpperCase(),
    ),
    element('code', {}, pathOf(path)),
  );
  return sectionOf(context, title, [line, content ? bodyOf(content) : sourceOf(context, block)]);
};

/** Parameters of a path are marked. */
const pathOf = (path: string): HtmlNode =>
  path.split(/(\{[^{}]*\})/).map((part, index) => (index % 2 === 1 ? element('var', {}, part) : part));

export const schemas: Renderer<SchemasBlock> = (context, block) => {
  context.page.needs.add('openapi');
  const content = context.options.openapi?.(block);
  const names = block.data.schemas.map((name) => element('li', {}, element('code', {}, name)));
  return sectionOf(
    context,
    content?.title ?? context.words.schemas,
    content ? bodyOf(content) : [element('ul', {}, names), sourceOf(context, block)],
  );
};

function sectionOf(context: Context, title: string | undefined, content: HtmlNode): HtmlNode {
  if (title === undefined || title === '') return element('section', { class: 'api full' }, content);
  const id = context.page.newId('api');
  return element(
    'section',
    { class: 'api full', 'aria-labelledby': id },
    element('h3', { id }, title),
    content,
  );
}

const bodyOf = ({ main, aside }: OpenAPIContent): HtmlNode =>
  element(
    'div',
    { class: 'api-body' },
    element('div', { class: 'flow' }, main),
    aside === undefined ? undefined : element('div', { class: 'flow' }, aside),
  );

/** Where the specification can be read, if it cannot be shown. */
function sourceOf(context: Context, { data: { ref } }: OpenAPIBlock): HtmlNode {
  const target = targetOf(context, ref);
  if (!target) return undefined;
  const title = titleOf(target, ref);
  return title === '' ? undefined : element('p', {}, anchor(context, ref, {}, title) ?? title);
}
