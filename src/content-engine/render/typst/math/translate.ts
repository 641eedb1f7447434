import { literal } from '../literal.ts';
import { CALLS, FUNCTIONS, IGNORED, LINES, MATRICES, SPACES, SYMBOLS } from './symbols.ts';

/** Thrown inside of here only: a formula that is not understood is shown as it was written. */
class NotUnderstood extends Error {}

/** Text keeps its spaces, so it is one token with its command. */
const TOKEN =
  /\\(?:text|textrm|textbf|textit|mbox|operatorname\*?)\s*\{[^{}\\$]*\}|\\(?:[A-Za-z]+\*?|[^])|%[^\n]*|\s+|\d+(?:\.\d+)?|[^]/gu;
const TEXT = /^(\w+)\*?\s*\{([^]*)\}$/;
const DEEPEST = 24;

/** LaTeX to math of Typst; undefined where it holds anything that has no sure translation. */
export function translate(latex: string): string | undefined {
  const tokens = (latex.match(TOKEN) ?? []).filter((token) => !/^(?:\s|%)/.test(token));
  const parser = new Parser(tokens);
  try {
    return parser.all();
  } catch (error) {
    if (error instanceof NotUnderstood) return undefined;
    throw error;
  }
}

class Parser {
  readonly #tokens: readonly string[];
  #at = 0;
  #depth = 0;

  constructor(tokens: readonly string[]) {
    this.#tokens = tokens;
  }

  all(): string {
    const content = this.#until(() => this.#peek() === undefined, 'lines');
    return content.trim() === '' ? '""' : content;
  }

  #peek = (): string | undefined => this.#tokens[this.#at];

  #next(): string {
    const token = this.#tokens[this.#at++];
    if (token === undefined) throw new NotUnderstood();
    return token;
  }

  #take(token: string): boolean {
    if (this.#peek() !== token) return false;
    this.#at += 1;
    return true;
  }

  /** Atoms up to an end. Only between lines, `&` and `\\` have a meaning. */
  #until(isEnd: () => boolean, mode: 'group' | 'lines'): string {
    if (++this.#depth > DEEPEST) throw new NotUnderstood();
    const parts: string[] = [];
    while (!isEnd()) {
      if (this.#peek() === undefined) throw new NotUnderstood();
      if (mode === 'lines' && this.#take('&')) parts.push('&');
      else if (mode === 'lines' && this.#take('\\\\')) parts.push('\\ ');
      else parts.push(this.#scripted());
    }
    this.#depth -= 1;
    return parts.filter((part) => part !== '').join(' ');
  }

  /** An atom with what stands above and below it. */
  #scripted(): string {
    const isBare = this.#peek() === '^' || this.#peek() === '_';
    const base = isBare ? '""' : this.#atom();
    let [top, bottom] = ['', ''];
    for (;;) {
      if (this.#take("'")) top += ' ′';
      else if (top.replaceAll(' ′', '') === '' && this.#take('^')) top += ` ${this.#argument()}`;
      else if (bottom === '' && this.#take('_')) bottom = this.#argument();
      else break;
    }
    if (this.#peek() === '^' || this.#peek() === '_') throw new NotUnderstood();
    if (top === '' && bottom === '') return base;
    const scripts = [top === '' ? '' : `, t: ${top.trim()}`, bottom === '' ? '' : `, b: ${bottom}`];
    return `attach(${base === '' ? '""' : base}${scripts.join('')})`;
  }

  /** A group, or one atom. */
  #argument(): string {
    if (this.#take('{')) {
      const content = this.#until(() => this.#peek() === '}', 'group');
      this.#at += 1;
      return content === '' ? '""' : content;
    }
    const atom = this.#atom();
    return atom === '' ? '""' : atom;
  }

  #atom(): string {
    if (this.#peek() === '{') {
      const content = this.#argument();
      return content === '""' ? '' : content;
    }
    const token = this.#next();
    if (token.startsWith('\\')) return this.#command(token.slice(1));
    if (/^[}^_&#$]$/.test(token)) throw new NotUnderstood();
    if (token === '~') return 'space';
    return symbol(token);
  }

  #command(name: string): string {
    const known = SYMBOLS.get(name);
    if (known !== undefined) return symbol(known);
    if (FUNCTIONS.has(name)) return name;
    const space = SPACES.get(name);
    if (space !== undefined) return space;
    if (IGNORED.has(name)) return '';
    if (/^[%$#&_{}]$/.test(name)) return symbol(name);
    if (name === '|') return '‖';
    if (name === 'sqrt' && this.#peek() === '[') return this.#root();
    const call = CALLS.get(name);
    if (call !== undefined) return `${call}(${this.#argument()})`;
    const [, command, words] = TEXT.exec(name) ?? [];
    if (words === undefined) return this.#structure(name);
    return command === 'operatorname' ? `op(${literal(words.replace(/\s/g, ''))})` : literal(words);
  }

  #structure(name: string): string {
    switch (name) {
      case 'frac':
      case 'dfrac':
      case 'tfrac':
      case 'cfrac':
        return `frac(${this.#argument()}, ${this.#argument()})`;
      case 'binom':
      case 'dbinom':
        return `binom(${this.#argument()}, ${this.#argument()})`;
      case 'overset':
      case 'stackrel': {
        const above = this.#argument();
        return `attach(limits(${this.#argument()}), t: ${above})`;
      }
      case 'underset': {
        const below = this.#argument();
        return `attach(limits(${this.#argument()}), b: ${below})`;
      }
      case 'xrightarrow':
        return `attach(limits(⟶), t: ${this.#argument()})`;
      case 'pmod':
        return `med \\( "mod" thin ${this.#argument()} \\)`;
      case 'bmod':
      case 'mod':
        return 'thin "mod" thin';
      case 'not':
        return this.#negated();
      case 'left':
        return this.#fenced();
      case 'begin':
        return this.#environment();
      default:
        throw new NotUnderstood();
    }
  }

  #root(): string {
    this.#at += 1;
    const index = this.#until(() => this.#peek() === ']', 'group');
    this.#at += 1;
    return `root(${index === '' ? '""' : index}, ${this.#argument()})`;
  }

  #negated(): string {
    const negations: Readonly<Record<string, string>> = {
      '=': '≠',
      '\\in': '∉',
      '<': '≮',
      '>': '≯',
      '\\subset': '⊄',
    };
    const negation = negations[this.#next()];
    if (negation === undefined) throw new NotUnderstood();
    return negation;
  }

  /** The name of an environment, or how its columns are aligned. */
  #name(): string {
    if (!this.#take('{')) throw new NotUnderstood();
    const parts: string[] = [];
    while (!this.#take('}')) {
      const token = this.#next();
      if (/^[\\{$]/.test(token)) throw new NotUnderstood();
      parts.push(token);
    }
    return parts.join('');
  }

  #fenced(): string {
    const open = this.#fence();
    const content = this.#until(() => this.#peek() === '\\right', 'group');
    this.#at += 1;
    return `lr(${open} ${content} ${this.#fence()})`;
  }

  #fence(): string {
    const token = this.#next();
    if (token === '.') return '';
    if (/^[()[\]|/<>]$/.test(token)) return symbol(token === '<' ? '⟨' : token === '>' ? '⟩' : token);
    if (token === '\\|') return '‖';
    const name = token.slice(1);
    const known = /^[{}]$/.test(name) ? name : SYMBOLS.get(name);
    if (!token.startsWith('\\') || known === undefined) throw new NotUnderstood();
    return symbol(known);
  }

  #environment(): string {
    const name = this.#name();
    if (name === 'array' || name.startsWith('alignat') || name === 'alignedat') this.#name();
    if (LINES.has(name)) {
      const content = this.#until(() => this.#peek() === '\\end', 'lines');
      this.#end(name);
      return content;
    }
    const delimiter = MATRICES.get(name);
    if (delimiter === undefined && name !== 'cases') throw new NotUnderstood();
    const rows = this.#rows();
    this.#end(name);
    if (name === 'cases') return `cases(${rows.map((row) => row.join(' & ')).join(', ')})`;
    return `mat(delim: ${delimiter}, ${rows.map((row) => row.join(', ')).join('; ')})`;
  }

  #rows(): string[][] {
    const rows: string[][] = [[]];
    const isEnd = (): boolean => ['&', '\\\\', '\\end'].includes(this.#peek() ?? '');
    for (;;) {
      const content = this.#until(isEnd, 'group');
      (rows.at(-1) as string[]).push(content === '' ? '""' : content);
      if (this.#take('\\\\')) {
        if (this.#peek() === '\\end') break;
        rows.push([]);
      } else if (!this.#take('&')) break;
    }
    return rows;
  }

  #end(name: string): void {
    if (!this.#take('\\end') || this.#name() !== name) throw new NotUnderstood();
  }
}

/** Letters and digits as they are, what has a meaning in Typst escaped, all else as a string. */
function symbol(text: string): string {
  if (text === '-') return '−';
  if (/^(?:[A-Za-z]|\d+(?:\.\d+)?)$/.test(text)) return text;
  // The root would take what follows it.
  if (/^[!-/:-@[-`{-~√]$/.test(text)) return `\\${text}`;
  return MATH.test(text) ? text : literal(text);
}

/** Greek letters, arrows, operators, brackets, shapes: characters that mean themselves in math. */
const MATH =
  /^[\u0370-\u03ff\u2016\u2020-\u2022\u2026\u2032\u2100-\u23ff\u25a0-\u25ff\u2660-\u266f\u27c0-\u27ff\u2900-\u2bff±×÷¬°]$/u;
