import type { PropertyView, SchemaView } from '../../../../openapi/index.ts';
import type { Context } from '../../context.ts';
import { icon } from '../../inlines/icons.ts';
import { element, type HtmlNode } from '../../node.ts';
import { fill } from '../../words.ts';
import { described } from './description.ts';

/** Where a schema is shown: the specification, for links to models, and whether nested ones are open. */
export interface Shown {
  readonly spec: string;
  readonly isOpen: boolean;
  /** The element of headings of sections: the level below the title of the operation. */
  readonly heading: 'h3' | 'h4';
}

/** A field: a property, a parameter or a header. */
export interface Field {
  /** None: it is an alternative, and has a type only. */
  readonly name?: HtmlNode;
  readonly required?: true | undefined;
  readonly deprecated?: true | undefined;
  readonly description?: string | undefined;
  readonly schema: SchemaView;
}

export const fields = (context: Context, shown: Shown, all: readonly Field[]): HtmlNode =>
  element(
    'ul',
    { class: 'fields' },
    all.map((one) => () => element('li', {}, field(context, shown, one))),
  );

function field(context: Context, shown: Shown, one: Field): HtmlNode {
  const { words } = context;
  const { schema } = one;
  const isDeprecated = one.deprecated ?? schema.deprecated;
  const notes = [
    schema.readOnly ? words.readOnly : undefined,
    schema.writeOnly ? words.writeOnly : undefined,
  ].filter((note) => note !== undefined);
  return [
    element(
      'div',
      { class: 'field' },
      one.name === undefined
        ? undefined
        : element('code', { class: isDeprecated ? 'gone' : undefined }, one.name),
      element(
        'small',
        {},
        typeOf(context, shown, schema),
        notes.map((note) => ` · ${note}`),
      ),
      one.required
        ? element('small', { class: 'required', 'data-tone': 'danger' }, words.required)
        : undefined,
      isDeprecated
        ? element('span', { class: 'badge', 'data-tone': 'warning' }, words.deprecated)
        : undefined,
    ),
    described(context, one.description ?? schema.description),
    facts(context, schema),
    inside(context, shown, schema),
  ];
}

/** Models on this page are links. */
function typeOf(context: Context, { spec }: Shown, { type, model, isCut, items }: SchemaView): HtmlNode {
  const name = isCut ? model : items?.isCut ? items.model : undefined;
  const id = name === undefined ? undefined : context.page.models.get(`${spec} ${name}`);
  if (name === undefined || id === undefined) return type;
  const [before = '', ...after] = type.split(name);
  return [before, element('a', { href: `#${id}` }, name), after.join(name)];
}

/** Values and limits, in one line each. */
export function facts({ words }: Context, schema: SchemaView): HtmlNode {
  const values = schema.enum ?? [];
  const lines: HtmlNode[] = [];
  const add = (label: string, ...content: HtmlNode[]): void =>
    void lines.push(element('div', {}, element('dt', {}, label), element('dd', {}, content)));
  if (schema.constraints) lines.push(element('div', {}, element('dd', {}, schema.constraints.join(' · '))));
  if (values.length > 0 && values.every(({ description }) => description === undefined))
    add(
      words.allowedValues,
      values.map(({ value }, index) => [index > 0 ? ' ' : '', element('code', {}, value)]),
    );
  if (schema.default !== undefined) add(words.defaultValue, element('code', {}, schema.default));
  if (schema.example !== undefined) add(words.example, element('code', {}, schema.example));
  const table = values.some(({ description }) => description !== undefined)
    ? element(
        'ul',
        { class: 'values' },
        values.map(({ value, description }) =>
          element(
            'li',
            {},
            element('code', {}, value),
            description === undefined ? undefined : ` ${description}`,
          ),
        ),
      )
    : undefined;
  return [lines.length > 0 ? element('dl', { class: 'facts' }, lines) : undefined, table];
}

/** What a schema holds: folded away, so that each level is read when it is needed. */
function inside(context: Context, shown: Shown, schema: SchemaView): HtmlNode {
  const holder = holderIn(schema);
  if (!holder) return undefined;
  const { words } = context;
  const title =
    holder.variants && !holder.properties
      ? holder.variants.kind === 'oneOf'
        ? words.oneOf
        : words.anyOf
      : holder.model === undefined
        ? words.properties
        : fill(words.propertiesOf, { name: holder.model });
  return element(
    'details',
    { class: 'inside', open: shown.isOpen },
    element('summary', {}, icon(context, 'next', 'flip'), title),
    content(context, shown, holder),
  );
}

/** The schema itself, or the one of its items. */
function holderIn(schema: SchemaView): SchemaView | undefined {
  if (schema.properties || schema.variants || schema.additional) return schema;
  return schema.items && holderIn(schema.items);
}

const content = (
  context: Context,
  shown: Shown,
  { properties = [], additional, variants }: SchemaView,
): HtmlNode => {
  const { words } = context;
  const all: Field[] = properties.map(({ name, required, schema }: PropertyView) => ({
    name,
    required,
    schema,
  }));
  if (additional) all.push({ name: words.otherNames, schema: additional });
  return [
    all.length > 0 ? fields(context, shown, all) : undefined,
    variants
      ? element(
          'ul',
          { class: 'fields variants' },
          variants.of.map((one) => () => element('li', {}, field(context, shown, { schema: one }))),
        )
      : undefined,
  ];
};

/** A schema on its own: of a body, a response or a model. The heading of a model has its name and its description. */
export function schemaOf(context: Context, shown: Shown, schema: SchemaView, model?: string): HtmlNode {
  const holder = holderIn(schema);
  return [
    model === undefined ? described(context, schema.description) : undefined,
    holder && ['object', 'any', model].includes(schema.type)
      ? undefined
      : element('p', { class: 'type' }, element('small', {}, typeOf(context, shown, schema))),
    facts(context, schema),
    holder ? content(context, shown, holder) : undefined,
  ];
}
