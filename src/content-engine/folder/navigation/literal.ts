/** Plain data in a file of JavaScript or TypeScript. Nothing is run: what is not data has no value. */
export type Literal =
  | string
  | number
  | boolean
  | null
  | undefined
  | readonly Literal[]
  | { readonly [name: string]: Literal };

export interface ReadLiteral {
  readonly value: Literal;
  /** Whether all of it is data. */
  readonly isPlain: boolean;
}

/** The data at an offset. */
export function readLiteral(text: string, at: number): ReadLiteral {
  const reader = new Reader(text, at);
  const value = reader.readValue(0);
  return { value, isPlain: reader.isPlain };
}

/** What a module exports by default: data, or the name of data that is declared in it. */
export function readExport(text: string): ReadLiteral {
  const found = [...text.matchAll(/\bmodule\.exports\s*=|\bexport\s+default\b/g)].at(-1);
  return found === undefined ? NOTHING : readNamed(text, found.index + found[0].length);
}

/** The first value of a property that contains data. */
export function readProperty(text: string, name: string): ReadLiteral {
  let first: ReadLiteral | undefined;
  let count = 0;
  for (const at of propertiesIn(text, name)) {
    if (++count > MAX_PROPERTIES) break;
    const read = readNamed(text, at);
    if (typeof read.value === 'object' || typeof read.value === 'string') return read;
    first ??= read;
  }
  return first ?? { value: undefined, isPlain: true };
}

/** Each is looked up in the whole text. */
const MAX_PROPERTIES = 20;

const NOTHING: ReadLiteral = { value: undefined, isPlain: false };
const NAME = /[A-Za-z_$][\w$]*/y;
// What is not ended goes to the end of the text, so that no text is read twice.
const SPACE = /(?:\s|\/\/[^\r\n]*|\/\*[\s\S]*?(?:\*\/|$))*/y;
const NUMBER = /-?\d[\w.]*/y;
const DECLARATION =
  /\b(?:const|let|var)\s+([\w$]+)(?![\w$])[^=;]{0,200}=|\bfunction\s+([\w$]+)\s*\([^)]{0,200}\)[^{]{0,200}\{\s*return\b/g;

function matchAt(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? '';
}

/** Data, the name of data, a function that only returns data, or an argument: `defineConfig({ … })`. */
function readNamed(text: string, at: number): ReadLiteral {
  const start = at + matchAt(SPACE, text, at).length;
  const name = matchAt(NAME, text, start);
  if (name === '' || ['true', 'false', 'null'].includes(name)) return readLiteral(text, start);
  for (const found of text.matchAll(DECLARATION))
    if (found[1] === name || found[2] === name) return readLiteral(text, found.index + found[0].length);
  const call = start + name.length;
  const argument = text[call] === '(' ? readLiteral(text, call + 1) : NOTHING;
  return typeof argument.value === 'object' ? argument : NOTHING;
}

const TOKEN =
  /\/\/[^\r\n]*|\/\*[\s\S]*?(?:\*\/|$)|'(?:[^'\\]|\\[\s\S])*(?:'|\\?$)|"(?:[^"\\]|\\[\s\S])*(?:"|\\?$)|`(?:[^`\\]|\\[\s\S])*(?:`|\\?$)|[A-Za-z_$][\w$]*/g;

function* propertiesIn(text: string, name: string): Generator<number, void, void> {
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (token !== name && token.slice(1, -1) !== name) continue;
    const end = index + token.length;
    const colon = end + matchAt(SPACE, text, end).length;
    if (text[colon] === ':') yield colon + 1;
  }
}

const MAX_DEPTH = 40;
const CLOSERS = new Set([',', ';', ')', ']', '}']);

class Reader {
  readonly #text: string;
  #at: number;
  isPlain = true;

  constructor(text: string, at: number) {
    this.#text = text;
    this.#at = at;
  }

  readValue(depth: number): Literal {
    this.#skipSpace();
    const value = depth > MAX_DEPTH ? this.#unknown() : this.#read(depth);
    this.#skipSpace();
    const more = matchAt(/(?:as|satisfies)\s[^,;()[\]{}]*/y, this.#text, this.#at);
    this.#at += more.length;
    const next = this.#text[this.#at];
    return next === undefined || CLOSERS.has(next) || depth === 0 ? value : this.#unknown();
  }

  #read(depth: number): Literal {
    const char = this.#text[this.#at];
    if (char === '[') return this.#readList(depth);
    if (char === '{') return this.#readMap(depth);
    if (char === '"' || char === "'" || char === '`') return this.#readText(char);
    const number = matchAt(NUMBER, this.#text, this.#at);
    if (number !== '') {
      this.#at += number.length;
      return Number(number);
    }
    const name = matchAt(NAME, this.#text, this.#at);
    if (!['true', 'false', 'null', 'undefined'].includes(name)) return this.#unknown();
    this.#at += name.length;
    return name === 'undefined' ? undefined : (JSON.parse(name) as Literal);
  }

  #readList(depth: number): Literal {
    const items: Literal[] = [];
    this.#at++;
    while (this.#isInside(']')) items.push(this.readValue(depth + 1));
    return items;
  }

  #readMap(depth: number): Literal {
    const members: [string, Literal][] = [];
    this.#at++;
    while (this.#isInside('}')) {
      const char = this.#text[this.#at];
      const name =
        char === '"' || char === "'" ? this.#readText(char) : matchAt(/[\w$]+/y, this.#text, this.#at);
      if (char !== '"' && char !== "'") this.#at += String(name).length;
      this.#skipSpace();
      if (typeof name !== 'string' || name === '' || this.#text[this.#at] !== ':') {
        this.#unknown();
        continue;
      }
      this.#at++;
      members.push([name, this.readValue(depth + 1)]);
    }
    return Object.fromEntries(members);
  }

  /** Passes commas, and the closer at the end. */
  #isInside(closer: string): boolean {
    this.#skipSpace();
    const before = this.#at;
    while (this.#text[this.#at] === ',') {
      this.#at++;
      this.#skipSpace();
    }
    const char = this.#text[this.#at];
    if (char === closer || char === undefined) {
      this.#at++;
      return false;
    }
    // Another closer here is no data, and would not be passed.
    if (CLOSERS.has(char) && before === this.#at) this.#at++;
    return true;
  }

  #readText(quote: string): Literal {
    const start = ++this.#at;
    for (; this.#at < this.#text.length; this.#at++) {
      const char = this.#text[this.#at];
      if (char === '\\') this.#at++;
      else if (char === quote) break;
    }
    const written = this.#text.slice(start, this.#at++);
    if (quote !== '`' || !written.includes('${')) return unescape(written);
    this.isPlain = false;
    return undefined;
  }

  /** Passes an expression up to the comma or closer after it. */
  #unknown(): undefined {
    this.isPlain = false;
    let open = 0;
    for (; this.#at < this.#text.length; this.#at++) {
      const char = this.#text[this.#at] ?? '';
      if (char === '"' || char === "'" || char === '`') {
        this.#readText(char);
        this.#at--;
      } else if (char === '/') this.#at += Math.max(matchAt(SPACE, this.#text, this.#at).length - 1, 0);
      else if ('([{'.includes(char)) open++;
      else if (open === 0 && CLOSERS.has(char)) return undefined;
      else if (')]}'.includes(char)) open--;
    }
    return undefined;
  }

  #skipSpace(): void {
    this.#at += matchAt(SPACE, this.#text, this.#at).length;
  }
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '\n': '' };

const unescape = (written: string): string =>
  written.replace(
    /\\(?:u([\da-fA-F]{4})|x([\da-fA-F]{2})|([\s\S]))/g,
    (_all, unicode?: string, hex?: string, char = '') => {
      const code = unicode ?? hex;
      return code === undefined
        ? (ESCAPES[char as string] ?? (char as string))
        : String.fromCharCode(Number.parseInt(code, 16));
    },
  );
