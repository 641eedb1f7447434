import fastJson from 'fast-json-stringify';
import type { TSchema } from 'typebox';

interface Node {
  readonly [keyword: string]: unknown;
  readonly anyOf?: readonly Node[];
  readonly properties?: Readonly<Record<string, { readonly const?: unknown }>>;
}

type Write = (answer: unknown) => string;

/** Writes answers as JSON, without members that the schema does not declare. Compiled on first use. */
export function serialiser(schema: TSchema | undefined): Write {
  if (!schema) return () => '';
  let write: Write | undefined;
  return (answer) => (write ??= compiled(schema as Node))(answer);
}

function compiled(schema: Node): Write {
  const forms = new Forms();
  const root = forms.copy(schema);
  return fastJson(root as fastJson.Schema, { schema: forms.schemas as Record<string, fastJson.Schema> });
}

/**
 * The alternatives of a schema, each as a schema of its own. The library finds the alternative of a value by validating
 * it, and its validator compiles the whole schema that contains the alternative: a list of links took 1.3 s at its first
 * use. With constants (`kind: 'page'`), only these are validated.
 */
class Forms {
  readonly schemas: Record<string, object> = {};
  readonly #references = new Map<Node, { $ref: string }>();
  readonly #selections = new Map<readonly Node[], object>();

  copy(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((item) => this.copy(item));
    if (typeof value !== 'object' || value === null) return value;
    const { anyOf, ...others } = value as Node;
    if (anyOf?.every(hasConstants)) return this.#selection(anyOf);
    const copied = Object.fromEntries(
      Object.entries(others).map(([name, member]) => [name, this.copy(member)]),
    );
    return anyOf ? { ...copied, anyOf: anyOf.map((form) => this.#reference(form)) } : copied;
  }

  /** Returns the same object for the same alternatives: the library compiles each object once. */
  #selection(forms: readonly Node[]): object {
    let selection = this.#selections.get(forms);
    if (!selection) this.#selections.set(forms, (selection = this.#select(forms)));
    return selection;
  }

  #select([first, ...rest]: readonly Node[]): object {
    const form = this.#reference(first!);
    if (rest.length === 0) return form;
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema; the schema is never awaited
    return { if: { $ref: `${form.$ref}-constants` }, then: form, else: this.#select(rest) };
  }

  #reference(form: Node): { $ref: string } {
    const known = this.#references.get(form);
    if (known) return known;
    const reference = { $ref: `form-${this.#references.size}` };
    this.#references.set(form, reference);
    this.schemas[reference.$ref] = this.copy(form) as object;
    this.schemas[`${reference.$ref}-constants`] = { type: 'object', properties: constantsOf(form) };
    return reference;
  }
}

function hasConstants(form: Node): boolean {
  return Object.keys(constantsOf(form)).length > 0;
}

function constantsOf({ properties = {} }: Node): object {
  return Object.fromEntries(Object.entries(properties).filter(([, member]) => member.const !== undefined));
}
