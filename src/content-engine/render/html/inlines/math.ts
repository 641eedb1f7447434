import Temml, { type Options } from 'temml';
import type { Context } from '../context.ts';
import { element, type HtmlElement, type HtmlNode } from '../node.ts';
import type { PageState } from '../page-state.ts';
import { isMathElement, VOCABULARY } from '../vocabulary.ts';

/** Longer formulas are shown as their source. */
const MAX_LENGTH = 2000;
const MAX_EXPANSIONS = 1000;

/** A macro of the author can repeat its text with every use, so that the product of both limits counts. */
const DEFINES_MACROS = /\\(?:[gex]?def|let|futurelet|(?:re)?newcommand|providecommand)(?![a-zA-Z])/;
const MAX_LENGTH_WITH_MACROS = 300;
const MAX_EXPANSIONS_WITH_MACROS = 30;

/** Elements of one formula. */
const MAX_ELEMENTS = 20_000;

/** Common commands that Temml does not know. */
const MACROS = { '\\mbox': '\\text{#1}', '\\R': '\\mathbb{R}' };

/** A node of Temml: an element, text, or a group that has no element of its own. */
interface TemmlNode {
  readonly type?: unknown;
  readonly text?: unknown;
  readonly attributes?: Readonly<Record<string, unknown>>;
  readonly classes?: readonly string[];
  readonly style?: Readonly<Record<string, string>>;
  readonly children?: readonly TemmlNode[];
}

/** Temml declares its types for another module format than the one that Node loads. */
const { __renderToMathMLTree: renderTree } = Temml as unknown as {
  readonly __renderToMathMLTree: (source: string, options: Options) => TemmlNode;
};

/** A formula as MathML, which browsers set without a script. One that is not understood is shown as its source. */
export function formula({ page }: Context, latex: string, isBlock: boolean): HtmlNode {
  const source = latex.trim();
  if (source === '') return undefined;
  const math = mathOf(page, source, isBlock);
  if (math === undefined) return element('code', { class: 'formula' }, source);
  page.needs.add('math');
  return math;
}

function mathOf(page: PageState, source: string, displayMode: boolean): HtmlNode {
  if (page.mathElements <= 0) return undefined;
  const definesMacros = DEFINES_MACROS.test(source);
  if (source.length > (definesMacros ? MAX_LENGTH_WITH_MACROS : MAX_LENGTH)) return undefined;
  try {
    const tree = renderTree(source, {
      displayMode,
      throwOnError: true,
      maxExpand: definesMacros ? MAX_EXPANSIONS_WITH_MACROS : MAX_EXPANSIONS,
      maxSize: [100, 100],
      // Each formula has its own: one cannot change the next.
      macros: { ...MACROS },
    });
    const room = { left: MAX_ELEMENTS };
    const math = elementOf(tree, room);
    page.mathElements -= MAX_ELEMENTS - room.left;
    return math;
  } catch {
    // Errors of any kind, also of the stack: the formula is the author's, and its source is readable.
    return undefined;
  }
}

/** Undefined where the formula has too many elements. */
function elementOf(node: TemmlNode, room: { left: number }): HtmlElement | HtmlNode[] | string | undefined {
  if (--room.left < 0) return undefined;
  if (typeof node.text === 'string') return node.text;
  const children: HtmlNode[] = [];
  for (const child of node.children ?? []) {
    const inner = elementOf(child, room);
    if (inner === undefined) return undefined;
    children.push(inner);
  }
  const name = typeof node.type === 'string' ? node.type : '';
  return isMathElement(name) ? { name, attributes: attributesOf(name, node), children } : children;
}

/** The style attribute is not allowed: colours become attributes of MathML, and lines and spaces of tables become classes. */
function attributesOf(
  name: string,
  { attributes = {}, classes = [], style = {} }: TemmlNode,
): Record<string, string> {
  const allowed = VOCABULARY.get(name);
  const found: Record<string, string> = {};
  for (const [key, value] of Object.entries(attributes)) {
    if (allowed?.has(key) && key !== 'class') found[key] = String(value);
  }
  const color = style['color'];
  if (color && isColor(color)) found['mathcolor'] = color;
  const background = style['background-color'] ?? style['backgroundColor'];
  if (background && isColor(background)) found['mathbackground'] = background;
  const own = [...classes.filter((one) => /^[a-z][a-z-]{0,20}$/.test(one)), ...styleClasses(style)];
  if (own.length > 0) found['class'] = own.join(' ');
  return found;
}

const STYLE_CLASSES: readonly (readonly [property: string, value: RegExp, className: string])[] = [
  ['border', /./, 'line-box'],
  ['borderTop', /./, 'line-top'],
  ['borderBottom', /./, 'line-bottom'],
  ['borderLeft', /./, 'line-left'],
  ['borderRight', /./, 'line-right'],
  ['width', /^100%$/, 'full-width'],
  ['width', /^50%$/, 'half-width'],
  ['paddingLeft', /^1em$/, 'wide-left'],
  ['paddingLeft', /^0\.1389em$/, 'thin-left'],
  ['paddingRight', /^0\.1389em$/, 'thin-right'],
  ['paddingLeft', /^0(?:em|pt)?$/, 'tight-left'],
  ['paddingRight', /^0(?:em|pt)?$/, 'tight-right'],
];

const styleClasses = (style: Readonly<Record<string, string>>): string[] =>
  STYLE_CLASSES.flatMap(([property, value, className]) =>
    value.test(style[property] ?? '') ? [className] : [],
  );

const isColor = (text: string): boolean => /^(?:#[\da-f]{3,8}|[a-z]{1,20})$/i.test(text);
