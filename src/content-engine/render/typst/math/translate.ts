import { literal } from '../literal.ts';
import { apply, escapeSymbol } from './markup.ts';
import { NotUnderstood, type Mode, type Parser } from './parser.ts';
import { STRUCTURES } from './structures.ts';
import { BARS, CALLS, FUNCTIONS, IGNORED, SPACES, SWITCHES, SYMBOLS, TEXT_STYLES } from './symbols.ts';
import { LINE_BREAK, textIn, tokenize, unescapeText } from './tokens.ts';

const MAX_DEPTH = 24;

/** LaTeX math as Typst math; undefined if any part of it has no certain translation. */
export function translate(latex: string): string | undefined {
  try {
    return new FormulaParser(tokenize(latex)).all();
  } catch (error) {
    if (error instanceof NotUnderstood) return undefined;
    throw error;
  }
}

/** Infix commands, which divide their group in two. */
const INFIX: ReadonlyMap<string, string> = new Map([
  ['\\over', 'frac'],
  ['\\choose', 'binom'],
]);

class FormulaParser implements Parser {
  readonly #tokens: string[];
  #at = 0;
  #depth = 0;

  constructor(tokens: string[]) {
    this.#tokens = tokens;
  }

  all(): string {
    const content = this.until(() => this.peek() === undefined, 'lines');
    return content.trim() === '' ? '""' : content;
  }

  peek = (): string | undefined => this.#tokens[this.#at];

  isFirst = (): boolean => this.#at === 1;

  next(): string {
    const token = this.#tokens[this.#at++];
    if (token === undefined) throw new NotUnderstood();
    return token;
  }

  take(token: string): boolean {
    if (this.peek() !== token) return false;
    this.#at += 1;
    return true;
  }

  until(isEnd: () => boolean, mode: Mode): string {
    if (++this.#depth > MAX_DEPTH) throw new NotUnderstood();
    let parts: string[] = [];
    let infix: { name: string; before: string } | undefined;
    const styles: string[] = [];
    while (!isEnd()) {
      const token = this.peek();
      if (token === undefined) throw new NotUnderstood();
      const style = SWITCHES.get(token.slice(1));
      const divider = INFIX.get(token);
      if (mode === 'lines' && this.take('&')) parts.push('&');
      else if (mode === 'lines' && this.take(LINE_BREAK)) parts.push('\\ ');
      else if (divider !== undefined && infix === undefined) {
        this.next();
        infix = { name: divider, before: join(parts) };
        parts = [];
      } else if (style !== undefined && token.startsWith('\\')) {
        this.next();
        styles.push(style);
      } else parts.push(styles.reduceRight(styled, this.#scripted()));
    }
    this.#depth -= 1;
    if (infix === undefined) return join(parts);
    return `${infix.name}(${infix.before || '""'}, ${join(parts) || '""'})`;
  }

  argument(mode: Mode = 'group'): string {
    if (!this.take('{')) return this.#digit() ?? (this.#atom() || '""');
    const content = this.until(() => this.peek() === '}', mode);
    this.next();
    return content || '""';
  }

  name(): string {
    if (!this.take('{')) throw new NotUnderstood();
    const parts: string[] = [];
    while (!this.take('}')) {
      const token = this.next();
      if (/^[\\{$]/.test(token)) throw new NotUnderstood();
      parts.push(token);
    }
    return parts.join('');
  }

  option(): string | undefined {
    if (!this.take('[')) return undefined;
    const content = this.until(() => this.peek() === ']', 'group');
    this.next();
    return content || '""';
  }

  /** An argument without braces is a single digit: `\frac12` is a half. */
  #digit(): string | undefined {
    const token = this.peek() ?? '';
    if (!/^\d./.test(token)) return undefined;
    this.#tokens[this.#at] = token.slice(1);
    return token.slice(0, 1);
  }

  /** An atom with its superscript and subscript. */
  #scripted(): string {
    const isBare = this.peek() === '^' || this.peek() === '_';
    let base = isBare ? '""' : this.#atom();
    if (this.take('\\limits')) base = `limits(${base})`;
    else if (this.take('\\nolimits')) base = `scripts(${base})`;
    let [top, bottom] = ['', ''];
    for (;;) {
      if (this.take("'")) top += ' ′';
      else if (top.replaceAll(' ′', '') === '' && this.take('^')) top += ` ${this.argument()}`;
      else if (bottom === '' && this.take('_')) bottom = this.argument();
      else break;
    }
    if (this.peek() === '^' || this.peek() === '_') throw new NotUnderstood();
    if (top === '' && bottom === '') return base;
    const scripts = [top === '' ? '' : `, t: ${top.trim()}`, bottom === '' ? '' : `, b: ${bottom}`];
    return `attach(${base === '' ? '""' : base}${scripts.join('')})`;
  }

  #atom(): string {
    if (this.peek() === '{') {
      const content = this.argument();
      return content === '""' ? '' : content;
    }
    const token = this.next();
    const bar = BARS.get(token);
    if (bar !== undefined) return bar;
    if (token.startsWith('\\')) return this.#command(token);
    if (/^[}^_&#$]$/.test(token)) throw new NotUnderstood();
    if (token === '~') return 'space';
    if (token === '*') return '∗';
    return escapeSymbol(token);
  }

  #command(token: string): string {
    const name = token.slice(1);
    const character = SYMBOLS.get(name);
    if (character !== undefined) return escapeSymbol(character);
    if (FUNCTIONS.has(name)) return name;
    const space = SPACES.get(name);
    if (space !== undefined) return space;
    if (IGNORED.has(name)) return '';
    if (/^[%$#&_{}]$/.test(name)) return escapeSymbol(name);
    const functions = CALLS.get(name);
    if (functions !== undefined) return apply(functions, this.argument());
    const structure = STRUCTURES.get(name);
    if (structure !== undefined) return structure(this);
    return textOf(token);
  }
}

const join = (parts: readonly string[]): string => parts.filter((part) => part !== '').join(' ');

const styled = (content: string, functions: string): string =>
  content === '' ? '' : apply(functions, content);

/** `\text{…}` and its relatives. Text may contain formulas between dollars. */
function textOf(token: string): string {
  const found = textIn(token);
  if (!found) throw new NotUnderstood();
  const { command, text } = found;
  if (command.startsWith('operatorname')) {
    const limits = command.endsWith('*') ? ', limits: #true' : '';
    return `op(${literal(unescapeText(text.replace(/\s/g, '')))}${limits})`;
  }
  const pieces = text.split(/(?<!\\)\$/);
  if (pieces.length % 2 === 0) throw new NotUnderstood();
  const content = join(
    pieces.map((piece, index) => {
      if (piece === '') return '';
      return index % 2 === 0 ? literal(unescapeText(piece)) : new FormulaParser(tokenize(piece)).all();
    }),
  );
  const style = TEXT_STYLES.get(command);
  return style === undefined ? content : styled(content, style);
}
