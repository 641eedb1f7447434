/**
 * Rison: JSON in a form that needs no encoding in a URL. `(a:1,b:!(x,'y z'),c:!t)` is `{"a":1,"b":["x","y z"],"c":true}`.
 */
export class RisonError extends Error {
  readonly at: number;

  constructor(message: string, at: number) {
    super(message);
    this.at = at;
  }
}

type Value = string | number | boolean | null | readonly Value[] | { readonly [name: string]: Value };

const MAX_DEPTH = 10;
const ID = /[^\s'!:(),*@$]+/y;
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e-?\d+)?$/;
const CONSTANTS = new Map<string, Value>([
  ['t', true],
  ['f', false],
  ['n', null],
]);

/** Throws a `RisonError`. */
export function readRison(text: string): Value {
  let at = 0;

  const fail = (message: string): never => {
    throw new RisonError(message, at);
  };
  const take = (character: string): boolean => {
    const isNext = text[at] === character;
    if (isNext) at++;
    return isNext;
  };

  function value(depth: number): Value {
    if (depth > MAX_DEPTH) fail(`nested deeper than ${MAX_DEPTH} levels`);
    if (take('(')) return object(depth);
    if (take("'")) return quoted();
    if (take('!')) return take('(') ? list(depth) : constant();
    const id = identifier();
    if (NUMBER.test(id)) return Number(id);
    // A hyphen or a digit begins a number, in an identifier it may only follow.
    return /^[-0-9]/.test(id) ? fail(`"${id}" is not a number`) : id;
  }

  function identifier(): string {
    ID.lastIndex = at;
    const [id] = ID.exec(text) ?? fail('a value is missing');
    at += id.length;
    return id;
  }

  function constant(): Value {
    const found = CONSTANTS.get(text[at] ?? '');
    if (found === undefined) return fail('only !t, !f, !n and !( follow an exclamation mark');
    at++;
    return found;
  }

  function quoted(): string {
    let result = '';
    while (!take("'")) {
      if (at >= text.length) fail('the string does not end');
      if (take('!') && text[at] !== '!' && text[at] !== "'") fail("only !! and !' are escapes");
      result += text[at++] ?? '';
    }
    return result;
  }

  function list(depth: number): readonly Value[] {
    const items: Value[] = [];
    if (take(')')) return items;
    do items.push(value(depth + 1));
    while (take(','));
    if (!take(')')) fail('the list does not end');
    return items;
  }

  function object(depth: number): { readonly [name: string]: Value } {
    const members: [string, Value][] = [];
    if (take(')')) return {};
    do {
      const name = take("'") ? quoted() : identifier();
      if (!take(':')) fail('a colon is missing');
      members.push([name, value(depth + 1)]);
    } while (take(','));
    if (!take(')')) fail('the object does not end');
    return Object.fromEntries(members);
  }

  const result = value(0);
  if (at < text.length) fail(`"${text[at]}" is not expected`);
  return result;
}
