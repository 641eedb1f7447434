import { Failure, PRECEDENCE, type BinaryOperator, type Expression } from './expression.ts';
import { isPunctuator, tokenize, type Token } from './tokens.ts';

export const MAX_LENGTH = 1024;
export const MAX_NODES = 200;

/** The supported methods, with their number of arguments. */
export const METHODS: Readonly<Record<string, number>> = Object.assign(Object.create(null), {
  includes: 1,
  startsWith: 1,
  endsWith: 1,
  toLowerCase: 0,
  toUpperCase: 0,
});

const KEYWORDS = new Map<string, boolean | null | undefined>([
  ['true', true],
  ['false', false],
  ['null', null],
  ['undefined', undefined],
]);

/** Parses an expression, or throws a Failure. */
export function parse(text: string): Expression {
  if (text.length > MAX_LENGTH) throw new Failure(`An expression has at most ${MAX_LENGTH} characters`);
  return new Parser(tokenize(text), { nodes: 0 }).whole();
}

/** Recursive descent. A template has nested lists of tokens with a parser each; all share one budget. */
class Parser {
  private readonly tokens: readonly Token[];
  private readonly budget: { nodes: number };
  private next = 0;

  constructor(tokens: readonly Token[], budget: { nodes: number }) {
    this.tokens = tokens;
    this.budget = budget;
  }

  whole(): Expression {
    const expression = this.conditional();
    const rest = this.peek();
    if (rest !== undefined) throw new Failure(`Unexpected ${describe(rest)}`, rest.at);
    return expression;
  }

  private conditional(): Expression {
    const test = this.binary(0);
    if (!this.take('?')) return test;
    const whenTrue = this.conditional();
    this.expect(':');
    return this.node({ type: 'conditional', test, whenTrue, whenFalse: this.conditional() });
  }

  /** Precedence climbing: left-associative operators with at least this precedence. */
  private binary(minimum: number): Expression {
    let left = this.unary();
    for (;;) {
      const operator = operatorOf(this.peek());
      if (operator === undefined || PRECEDENCE[operator] < minimum) return left;
      this.next++;
      left = this.node({ type: 'binary', operator, left, right: this.binary(PRECEDENCE[operator] + 1) });
    }
  }

  private unary(): Expression {
    for (const operator of ['!', '-', '+'] as const) {
      if (!this.take(operator)) continue;
      // Counted before the operand is parsed, so that the budget bounds the recursion.
      this.count();
      return { type: 'unary', operator, of: this.unary() };
    }
    return this.chain();
  }

  private chain(): Expression {
    let of = this.primary();
    let hasOptional = false;
    for (;;) {
      const isOptional = this.take('?.');
      hasOptional ||= isOptional;
      if (this.take('[')) {
        const key = this.conditional();
        this.expect(']');
        of = this.node({ type: 'member', of, key, isOptional });
      } else if (isOptional || this.take('.')) {
        of = this.named(of, isOptional);
      } else {
        return hasOptional ? this.node({ type: 'chain', of }) : of;
      }
    }
  }

  /** `.length` or `.includes(…)`. */
  private named(of: Expression, isOptional: boolean): Expression {
    const token = this.take();
    if (token?.type !== 'name') throw this.unexpected(token);
    if (!this.take('(')) {
      return this.node({ type: 'member', of, key: { type: 'literal', value: token.value }, isOptional });
    }
    const args = this.listUntil(')');
    if (METHODS[token.value] !== args.length) {
      throw new Failure(`There is no function ${token.value} with ${args.length} arguments`, token.at);
    }
    return this.node({ type: 'call', of, method: token.value, args, isOptional });
  }

  private primary(): Expression {
    const token = this.take();
    if (token?.type === 'number' || token?.type === 'string') {
      return this.node({ type: 'literal', value: token.value });
    }
    if (token?.type === 'template') return this.template(token.texts, token.values);
    if (token?.type === 'name' && token.value !== 'in') {
      if (!KEYWORDS.has(token.value)) return this.node({ type: 'name', name: token.value });
      return this.node({ type: 'literal', value: KEYWORDS.get(token.value) });
    }
    if (isPunctuator(token, '[')) {
      this.count();
      return { type: 'list', items: this.listUntil(']') };
    }
    if (!isPunctuator(token, '(')) throw this.unexpected(token);
    this.count();
    const inside = this.conditional();
    this.expect(')');
    return inside;
  }

  private template(texts: readonly string[], values: readonly (readonly Token[])[]): Expression {
    this.count();
    const parts = texts.flatMap((text, index): Expression[] => {
      const tokens = values[index];
      const literal: Expression = { type: 'literal', value: text };
      return tokens === undefined ? [literal] : [literal, new Parser(tokens, this.budget).whole()];
    });
    return { type: 'template', parts };
  }

  private listUntil(end: string): Expression[] {
    const items: Expression[] = [];
    if (this.take(end)) return items;
    do items.push(this.conditional());
    while (this.take(','));
    this.expect(end);
    return items;
  }

  private node(expression: Expression): Expression {
    this.count();
    return expression;
  }

  private count(): void {
    if (++this.budget.nodes > MAX_NODES) throw new Failure(`An expression has at most ${MAX_NODES} nodes`);
  }

  private peek(): Token | undefined {
    return this.tokens[this.next];
  }

  private take(): Token | undefined;
  private take(punctuator: string): boolean;
  private take(punctuator?: string): Token | undefined | boolean {
    const token = this.peek();
    if (punctuator === undefined) {
      this.next++;
      return token;
    }
    const isTaken = isPunctuator(token, punctuator);
    if (isTaken) this.next++;
    return isTaken;
  }

  private expect(punctuator: string): void {
    if (!this.take(punctuator)) throw this.unexpected(this.peek(), `, where ${punctuator} is missing`);
  }

  private unexpected(token: Token | undefined, more = ''): Failure {
    return new Failure(`Unexpected ${token === undefined ? 'end' : describe(token)}${more}`, token?.at);
  }
}

function operatorOf(token: Token | undefined): BinaryOperator | undefined {
  if (token?.type !== 'punctuator' && token?.type !== 'name') return undefined;
  return Object.hasOwn(PRECEDENCE, token.value) ? (token.value as BinaryOperator) : undefined;
}

const describe = (token: Token): string =>
  token.type === 'template' ? 'template' : JSON.stringify(token.value);
