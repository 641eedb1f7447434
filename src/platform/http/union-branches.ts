/** What of a schema tells its forms apart. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly maxItems?: number;
  readonly anyOf?: readonly Schema[];
}

/**
 * Which form of a union was meant by a value that fits none: the only one of its type, the one that its constant names
 * (`operation`, `kind`), or the only one of which it has all that is required.
 */
export function formMeant(forms: readonly Schema[], value: unknown): Schema | undefined {
  const possible = formsOfType(forms, value);
  if (possible.length < 2) return possible[0];
  if (typeof value !== 'object' || value === null) return undefined;
  const member = tellingMember(possible);
  const named =
    member === undefined
      ? formsBegun(possible, value)
      : possible.filter(
          ({ properties }) =>
            properties?.[member]?.const === (value as Readonly<Record<string, unknown>>)[member],
        );
  return named.length === 1 ? named[0] : undefined;
}

/** The forms of which a value has all that is required. */
export const formsBegun = (forms: readonly Schema[], value: object): Schema[] =>
  forms.filter(
    ({ required = [] }) => required.length > 0 && required.every((name) => Object.hasOwn(value, name)),
  );

/** The member that has another constant in each form. Undefined: there is none. */
export function tellingMember(forms: readonly Schema[]): string | undefined {
  if (forms.length < 2) return undefined;
  return Object.keys(forms[0]?.properties ?? {}).find((name) => {
    const constants = forms.map(({ properties }) => properties?.[name]?.const);
    return !constants.includes(undefined) && new Set(constants).size === constants.length;
  });
}

export const formsOfType = (forms: readonly Schema[], value: unknown): Schema[] =>
  forms.filter(({ type, const: constant, enum: allowed }) => {
    if (constant !== undefined) return constant === value;
    if (type !== undefined) return [type].flat().some((name) => TYPES[name]?.(value) ?? true);
    return allowed === undefined || allowed.some((one) => typeof one === typeof value);
  });

const TYPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  null: (value) => value === null,
  array: Array.isArray,
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  string: (value) => typeof value === 'string',
  boolean: (value) => typeof value === 'boolean',
  number: (value) => typeof value === 'number',
  integer: (value) => typeof value === 'number',
};
