/**
 * Every element and attribute that the renderer may write. The serialiser refuses all others, so that content cannot
 * introduce one: no `script`, no `style`, no event handler.
 */

const GLOBAL = [
  'id',
  'class',
  'title',
  'hidden',
  'role',
  'tabindex',
  'popover',
  'aria-hidden',
  'aria-label',
  'aria-labelledby',
  'data-tone',
  'data-color',
  'data-fill',
  'data-width',
  'data-size',
] as const;

const LINK = ['href', 'rel', 'target', 'download', 'data-action', 'data-query'] as const;
const CELL = ['scope'] as const;

const HTML = {
  a: LINK,
  abbr: [],
  b: [],
  blockquote: [],
  br: [],
  button: ['type', 'popovertarget', 'data-action', 'data-query', 'data-try'],
  caption: [],
  code: [],
  col: ['width'],
  colgroup: [],
  dd: [],
  del: [],
  details: ['name', 'open'],
  div: ['data-filter'],
  dl: [],
  dt: [],
  em: [],
  figcaption: [],
  figure: [],
  footer: [],
  h2: [],
  h3: [],
  h4: [],
  hr: [],
  iframe: ['src', 'loading', 'allow', 'referrerpolicy', 'sandbox'],
  img: ['src', 'alt', 'width', 'height', 'loading', 'decoding'],
  input: ['type', 'checked', 'disabled'],
  kbd: [],
  label: [],
  li: [],
  mark: [],
  ol: ['start'],
  p: [],
  pre: [],
  section: [],
  small: [],
  span: [],
  strong: [],
  sub: [],
  summary: [],
  sup: [],
  table: [],
  tbody: [],
  td: CELL,
  th: CELL,
  thead: [],
  time: ['datetime'],
  tr: [],
  ul: [],
  var: [],
  svg: [],
  use: ['href'],
} as const;

const MATH_LENGTHS = ['width', 'height', 'depth', 'lspace', 'rspace', 'voffset'] as const;
const MATH_OPERATOR = [
  'accent',
  'fence',
  'form',
  'largeop',
  'lspace',
  'maxsize',
  'minsize',
  'movablelimits',
  'rspace',
  'separator',
  'stretchy',
  'symmetric',
] as const;

/** MathML Core, and `menclose`, which browsers show as its content. */
const MATHML = {
  math: ['display'],
  menclose: ['notation'],
  merror: [],
  mfrac: ['linethickness'],
  mi: ['mathvariant'],
  mmultiscripts: [],
  mn: [],
  mo: MATH_OPERATOR,
  mover: ['accent'],
  mpadded: MATH_LENGTHS,
  mphantom: [],
  mprescripts: [],
  mroot: [],
  mrow: [],
  ms: [],
  mspace: MATH_LENGTHS,
  msqrt: [],
  mstyle: [],
  msub: [],
  msubsup: [],
  msup: [],
  mtable: [],
  mtd: ['columnspan', 'rowspan'],
  mtext: [],
  mtr: [],
  munder: ['accentunder'],
  munderover: ['accent', 'accentunder'],
} as const;

const MATH_GLOBAL = ['class', 'displaystyle', 'scriptlevel', 'mathcolor', 'mathbackground'] as const;

export type ElementName = keyof typeof HTML;
export type AttributeName<Name extends ElementName> = (typeof GLOBAL)[number] | (typeof HTML)[Name][number];

/** The attributes that each element may have, by its name. */
export const VOCABULARY: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ...Object.entries(HTML).map(([name, own]): [string, Set<string>] => [name, new Set([...GLOBAL, ...own])]),
  ...Object.entries(MATHML).map(([name, own]): [string, Set<string>] => [
    name,
    new Set([...MATH_GLOBAL, ...own]),
  ]),
]);

export const isMathElement = (name: string): boolean => Object.hasOwn(MATHML, name);

/** Elements without content or end tag. */
export const VOID_ELEMENTS: ReadonlySet<string> = new Set(['br', 'col', 'hr', 'img', 'input']);

/** Attributes that hold a URL. */
export const URL_ATTRIBUTES: ReadonlySet<string> = new Set(['href', 'src']);
