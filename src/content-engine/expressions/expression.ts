/** The syntax tree of an expression. Created only by `parse`. */
export type Expression =
  | { readonly type: 'literal'; readonly value: string | number | boolean | null | undefined }
  | { readonly type: 'name'; readonly name: string }
  | { readonly type: 'list'; readonly items: readonly Expression[] }
  | { readonly type: 'template'; readonly parts: readonly Expression[] }
  | {
      readonly type: 'member';
      readonly of: Expression;
      readonly key: Expression;
      readonly isOptional: boolean;
    }
  | {
      readonly type: 'call';
      readonly of: Expression;
      readonly method: string;
      readonly args: readonly Expression[];
      readonly isOptional: boolean;
    }
  /** A whole optional chain `a?.b.c`, which null and undefined short-circuit. */
  | { readonly type: 'chain'; readonly of: Expression }
  | { readonly type: 'unary'; readonly operator: '!' | '-' | '+'; readonly of: Expression }
  | {
      readonly type: 'binary';
      readonly operator: BinaryOperator;
      readonly left: Expression;
      readonly right: Expression;
    }
  | {
      readonly type: 'conditional';
      readonly test: Expression;
      readonly whenTrue: Expression;
      readonly whenFalse: Expression;
    };

export type BinaryOperator = keyof typeof PRECEDENCE;

/** Operator precedence, as in JavaScript. */
export const PRECEDENCE = {
  '??': 2,
  '||': 3,
  '&&': 4,
  '===': 8,
  '!==': 8,
  '==': 8,
  '!=': 8,
  '<': 9,
  '<=': 9,
  '>': 9,
  '>=': 9,
  in: 9,
  '+': 11,
  '-': 11,
  '*': 12,
  '/': 12,
  '%': 12,
} as const;

/** Why an expression has no value, for its author. */
export interface ExpressionError {
  readonly message: string;
  /** Offset in the text, for a syntax error. */
  readonly at?: number;
}

/** Thrown inside this folder only; index.ts returns it as a value. */
export class Failure extends Error {
  readonly at: number | undefined;

  constructor(message: string, at?: number) {
    super(message);
    this.at = at;
  }
}
