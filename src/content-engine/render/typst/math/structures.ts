import { literal } from '../literal.ts';
import { environment } from './environments.ts';
import { escapeSymbol } from './markup.ts';
import { NotUnderstood, type Parser } from './parser.ts';
import { SIZES, SYMBOLS } from './symbols.ts';

type Reader = (parser: Parser) => string;

const call =
  (name: string): Reader =>
  (parser) =>
    `${name}(${parser.argument()}, ${parser.argument()})`;

/** The first argument above or below the second. */
const stacked =
  (side: 't' | 'b'): Reader =>
  (parser) => {
    const script = parser.argument();
    return `attach(limits(${parser.argument()}), ${side}: ${script})`;
  };

const labelledArrow =
  (arrow: string): Reader =>
  (parser) => {
    const below = parser.option();
    const above = parser.argument();
    return `attach(limits(${arrow}), t: ${above}${below === undefined ? '' : `, b: ${below}`})`;
  };

/** Typst has no function for these in math, so the content is an equation of its own. */
const boxed =
  (before: string): Reader =>
  (parser) =>
    `#${before}$${parser.argument()}$)`;

const skipArgument: Reader = (parser) => {
  parser.name();
  return '';
};

/** Commands with a syntax of their own. */
export const STRUCTURES: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ...['frac', 'dfrac', 'tfrac', 'cfrac'].map((name) => [name, call('frac')] as const),
  ...['binom', 'dbinom', 'tbinom'].map((name) => [name, call('binom')] as const),
  ['overset', stacked('t')],
  ['stackrel', stacked('t')],
  ['underset', stacked('b')],
  ['xrightarrow', labelledArrow('⟶')],
  ['xleftarrow', labelledArrow('⟵')],
  ['xleftrightarrow', labelledArrow('⟷')],
  ['xRightarrow', labelledArrow('⟹')],
  ['xLeftarrow', labelledArrow('⟸')],
  ['xmapsto', labelledArrow('⟼')],
  ['sqrt', root],
  ['substack', (parser) => parser.argument('lines')],
  ['mathop', (parser) => `op(${parser.argument()}, limits: #true)`],
  ['bcancel', (parser) => `cancel(${parser.argument()}, inverted: #true)`],
  ['xcancel', (parser) => `cancel(${parser.argument()}, cross: #true)`],
  ['boxed', boxed('box(stroke: 0.5pt, inset: 3pt, ')],
  ['phantom', boxed('hide(')],
  ['pmod', (parser) => `med \\( "mod" thin ${parser.argument()} \\)`],
  ['bmod', () => 'thin "mod" thin'],
  ['mod', () => 'thin "mod" thin'],
  ['tag', (parser) => `wide ${literal(`(${parser.name()})`)}`],
  ['tag*', (parser) => `wide ${literal(parser.name())}`],
  ['label', skipArgument],
  // A book has its own colors.
  ['color', skipArgument],
  ['textcolor', (parser) => skipArgument(parser) + parser.argument()],
  ['hspace', horizontalSpace],
  ['hspace*', horizontalSpace],
  ['not', negated],
  ['left', fenced],
  ['middle', middle],
  ['begin', environment],
  ...Array.from(SIZES, ([name, size]) => [name, (parser: Parser) => sized(parser, size)] as const),
]);

function root(parser: Parser): string {
  const index = parser.option();
  return index === undefined ? `sqrt(${parser.argument()})` : `root(${index}, ${parser.argument()})`;
}

function horizontalSpace(parser: Parser): string {
  const length = parser.name();
  if (!/^-?\d{0,3}(?:\.\d{1,3})?(?:em|pt|mm|cm)$/.test(length) || !/\d/.test(length))
    throw new NotUnderstood();
  return `#h(${length})`;
}

/** The precomposed character of a negated relation. */
function negated(parser: Parser): string {
  const token = parser.next();
  const relation = token.startsWith('\\') ? SYMBOLS.get(token.slice(1)) : token;
  const negation = `${relation}\u0338`.normalize('NFC');
  if (relation === undefined || Array.from(negation).length !== 1) throw new NotUnderstood();
  return escapeSymbol(negation);
}

function fenced(parser: Parser): string {
  const open = fence(parser);
  const content = parser.until(() => parser.peek() === '\\right', 'group');
  parser.next();
  return `lr(${open} ${content} ${fence(parser)})`;
}

function middle(parser: Parser): string {
  const delimiter = fence(parser);
  return delimiter === '' ? '' : `mid(${delimiter})`;
}

const sized = (parser: Parser, size: string): string => {
  const delimiter = fence(parser);
  return delimiter === '' ? '' : `lr(${delimiter}, size: #${size})`;
};

function fence(parser: Parser): string {
  const token = parser.next();
  if (token === '.') return '';
  if (/^[()[\]|/<>]$/.test(token)) return escapeSymbol(token === '<' ? '⟨' : token === '>' ? '⟩' : token);
  if (token === '\\|') return '‖';
  const name = token.slice(1);
  const known = /^[{}]$/.test(name) ? name : SYMBOLS.get(name);
  if (!token.startsWith('\\') || known === undefined) throw new NotUnderstood();
  return escapeSymbol(known);
}
