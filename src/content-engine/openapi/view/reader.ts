import { shorten } from '../../shorten.ts';
import { valueAt } from '../bundle.ts';
import { escapePointer } from '../check.ts';
import { isObject, type JsonObject } from '../parse.ts';

/** The longest text of a field, in characters. */
const MAX_TEXT = 20_000;
/** The longest name, type or value that is shown in a line. */
export const MAX_LINE = 300;
/** `$ref`s that lead to another `$ref`. */
const MAX_HOPS = 20;
/** The schemas and texts of one view. */
const MAX_NODES = 1_500;
const MAX_CHARACTERS = 150_000;
/** Of all views of a specification. */
const ALL_NODES = 1_500_000;
const ALL_CHARACTERS = 60_000_000;
/** What a view has at least, however many there are. */
const MIN_NODES = 50;
const MIN_CHARACTERS = 2_000;

export interface Resolved {
  readonly value: JsonObject;
  /** The pointers of the references to it, which a schema that contains itself has among those around it. */
  readonly pointers: readonly string[];
  /** The name of the model, if it is one. */
  readonly model: string | undefined;
}

/**
 * Reads values of a document that may have any shape. Everything that a view holds is counted: a specification can name
 * the same schema a million times.
 */
export class Reader {
  readonly root: JsonObject;
  readonly #found = new Map<string, JsonObject | undefined>();
  readonly #models = new Map<string, string>();
  readonly #nodesOfView: number;
  readonly #charactersOfView: number;
  #nodes = 0;
  #characters = 0;

  constructor(root: JsonObject, views: number) {
    this.root = root;
    this.#nodesOfView = share(ALL_NODES, views, MIN_NODES, MAX_NODES);
    this.#charactersOfView = share(ALL_CHARACTERS, views, MIN_CHARACTERS, MAX_CHARACTERS);
    for (const [at, schemas] of Object.entries(schemasOf(root))) {
      for (const [name, schema] of Object.entries(schemas)) {
        this.#models.set(`${at}${escapePointer(name)}`, name);
        // A specification in parts: the model is in another file, which others may name, too.
        const ref = isObject(schema) ? schema['$ref'] : undefined;
        if (typeof ref === 'string' && !this.#models.has(ref)) this.#models.set(ref, name);
      }
    }
  }

  beginView(): void {
    this.#nodes = this.#nodesOfView;
    this.#characters = this.#charactersOfView;
  }

  /** False if the view has as many schemas as it may have. */
  take(): boolean {
    return --this.#nodes >= 0;
  }

  /** A text of a field, shortened to what is left. */
  text(value: unknown, most = MAX_TEXT): string | undefined {
    if (typeof value !== 'string') return undefined;
    const text = shorten(
      value.replaceAll('\0', '').toWellFormed().trim(),
      Math.max(0, Math.min(most, this.#characters)),
    );
    this.#characters -= text.length;
    return text === '' || text === '…' ? undefined : text;
  }

  line(value: unknown): string | undefined {
    return this.text(typeof value === 'string' ? value.replaceAll(/\s+/g, ' ') : value, MAX_LINE);
  }

  /** Any value, as JSON in one line. */
  json(value: unknown): string | undefined {
    return value === undefined ? undefined : this.text(jsonLine(value), MAX_LINE);
  }

  /** An object, or the one that its `$ref` leads to. Fields beside a `$ref` take precedence. */
  resolve(value: unknown): Resolved | undefined {
    let current = value;
    let beside: JsonObject | undefined;
    let model: string | undefined;
    const pointers: string[] = [];
    for (let hops = 0; hops < MAX_HOPS; hops++) {
      if (!isObject(current)) return undefined;
      const ref = current['$ref'];
      if (typeof ref !== 'string')
        return { value: beside ? { ...current, ...beside } : current, pointers, model };
      const { $ref: _, ...others } = current;
      if (Object.keys(others).length > 0) beside = Object.assign(others, beside);
      model ??= this.#models.get(decoded(ref));
      pointers.push(ref);
      current = this.#at(ref);
    }
    return undefined;
  }

  /** The same, where only the value matters. */
  object(value: unknown): JsonObject {
    return this.resolve(value)?.value ?? {};
  }

  #at(pointer: string): JsonObject | undefined {
    if (!this.#found.has(pointer)) {
      const value = valueAt(this.root, pointer);
      this.#found.set(pointer, isObject(value) ? value : undefined);
    }
    return this.#found.get(pointer);
  }
}

/** Named schemas by the pointer before their name. */
export function schemasOf(root: JsonObject): Record<string, JsonObject> {
  const components = root['components'];
  const schemas = isObject(components) ? components['schemas'] : undefined;
  const definitions = root['definitions'];
  return {
    ...(isObject(definitions) && { '#/definitions/': definitions }),
    ...(isObject(schemas) && { '#/components/schemas/': schemas }),
  };
}

const share = (all: number, views: number, least: number, most: number): number =>
  Math.max(least, Math.min(most, Math.floor(all / Math.max(1, views))));

function decoded(ref: string): string {
  if (!ref.includes('%')) return ref;
  try {
    return decodeURIComponent(ref);
  } catch {
    return ref;
  }
}

/** Large values are cut before they are written. */
export function jsonLine(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(shorten(value, MAX_LINE));
  if (typeof value !== 'object' || value === null) return String(value);
  let left = 50;
  return JSON.stringify(value, (_key, child: unknown) => {
    if (--left < 0) return undefined;
    return typeof child === 'string' ? shorten(child, MAX_LINE) : child;
  });
}

export const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export const entries = (value: unknown): [string, unknown][] =>
  isObject(value) ? Object.entries(value) : [];

export const strings = (value: unknown): string[] => list(value).filter((one) => typeof one === 'string');

/** Without the fields that are undefined or false. A loop: a specification has a million of these. */
export function compact<T extends object>(fields: { [K in keyof T]: T[K] | undefined | false }): T {
  const kept: Partial<T> = {};
  for (const name in fields) {
    const value = fields[name];
    if (value !== undefined && value !== false) kept[name] = value as T[typeof name];
  }
  return kept as T;
}
