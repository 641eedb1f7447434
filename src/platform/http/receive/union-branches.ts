/** The keywords by which the branches of a union differ. */
export interface Schema {
  readonly description?: string;
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
 * The intended branch of a union for a value that matches none: the only one of its type, the one that its constant names
 * (`operation`, `kind`), or the only one whose required members it has.
 */
export function intendedBranch(branches: readonly Schema[], value: unknown): Schema | undefined {
  const possible = branchesOfType(branches, value);
  if (possible.length < 2) return possible[0];
  if (typeof value !== 'object' || value === null) return undefined;
  const member = discriminator(possible);
  const named =
    member === undefined
      ? branchesWithRequired(possible, value)
      : possible.filter(
          ({ properties }) =>
            properties?.[member]?.const === (value as Readonly<Record<string, unknown>>)[member],
        );
  return named.length === 1 ? named[0] : undefined;
}

/** The branches whose required members a value has. */
export const branchesWithRequired = (branches: readonly Schema[], value: object): Schema[] =>
  branches.filter(
    ({ required = [] }) => required.length > 0 && required.every((name) => Object.hasOwn(value, name)),
  );

/** The discriminator: the member that has a different constant in each branch. */
export function discriminator(branches: readonly Schema[]): string | undefined {
  if (branches.length < 2) return undefined;
  return Object.keys(branches[0]?.properties ?? {}).find((name) => {
    const constants = branches.map(({ properties }) => properties?.[name]?.const);
    return !constants.includes(undefined) && new Set(constants).size === constants.length;
  });
}

export const branchesOfType = (branches: readonly Schema[], value: unknown): Schema[] =>
  branches.filter(({ type, const: constant, enum: allowed }) => {
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
