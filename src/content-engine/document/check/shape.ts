/** A fault of a value, and its place. */
export interface Problem {
  readonly path: string;
  readonly rule: string;
}

/** Returns the first problem of a value; undefined where it is valid. `Value` is the type of valid ones; no shape has the member. */
export type Shape<Value = unknown> = ((value: unknown, path: string) => Problem | undefined) & {
  readonly value?: Value;
};

export type Plain = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Plain =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const that =
  <Value>(isGood: (value: unknown) => boolean, rule: string): Shape<Value> =>
  (value, path) =>
    isGood(value) ? undefined : { path, rule };

export const text = that<string>((value) => typeof value === 'string', 'must be a string');
export const someText = that<string>(
  (value) => typeof value === 'string' && value !== '',
  'must be a non-empty string',
);
export const flag = that<boolean>((value) => typeof value === 'boolean', 'must be true or false');
export const number = that<number>((value) => typeof value === 'number', 'must be a number');
export const anObject = that<object>(isObject, 'must be an object');

export const integer = (least: number, most: number): Shape<number> =>
  that(
    (value) => typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most,
    `must be a whole number from ${least} to ${most}`,
  );

export const like = (pattern: RegExp, rule: string): Shape<string> =>
  that((value) => typeof value === 'string' && pattern.test(value), rule);

export const oneOf = <const Value extends string>(...values: readonly Value[]): Shape<Value> =>
  that((value) => values.some((one) => one === value), `must be one of ${values.join(', ')}`);

export const listOf =
  <Item>(item: Shape<Item>): Shape<Item[]> =>
  (value, path) => {
    if (!Array.isArray(value)) return { path, rule: 'must be a list' };
    return firstProblem(value.entries(), ([index, each]) => item(each, `${path}.${index}`));
  };

export const mapOf =
  <Member>(member: Shape<Member>, isName: Shape = () => undefined): Shape<Record<string, Member>> =>
  (value, path) => {
    if (!isObject(value)) return { path, rule: 'must be an object' };
    return firstProblem(
      Object.entries(value),
      ([name, each]) => isName(name, `${path}.${name}`) ?? member(each, `${path}.${name}`),
    );
  };

/** The shapes of the members of a type; the name of an optional member ends with a question mark. */
export type MemberShapes<Data> = {
  readonly [Name in keyof Data & string as undefined extends Data[Name] ? `${Name}?` : Name]-?: Shape;
};

type ValueOf<Of> = Of extends Shape<infer Value> ? Value : never;
type Members<Shapes> = {
  -readonly [Name in keyof Shapes as Name extends `${string}?` ? never : Name]: ValueOf<Shapes[Name]>;
} & {
  -readonly [Name in keyof Shapes as Name extends `${infer Bare}?` ? Bare : never]?: ValueOf<Shapes[Name]>;
};

/** An object by its members. Members that are not listed are ignored. */
export function members<const Shapes extends Readonly<Record<string, Shape>>>(
  shapes: Shapes,
): Shape<Members<Shapes>> {
  const known = Object.entries(shapes).map(([name, shape]) => ({
    name: name.replace('?', ''),
    shape,
    isOptional: name.endsWith('?'),
  }));
  return (value, path) => {
    if (!isObject(value)) return { path, rule: 'must be an object' };
    return firstProblem(known, ({ name, shape, isOptional }) => {
      if (Object.hasOwn(value, name)) return shape(value[name], `${path}.${name}`);
      return isOptional ? undefined : { path, rule: `must have ${name}` };
    });
  };
}

/** One of several shapes, discriminated by a member. */
export function byMember<Value>(member: string, shapes: Readonly<Record<string, Shape>>): Shape<Value> {
  const names = Object.keys(shapes);
  const isKnown = oneOf(...names);
  return (value, path) => {
    if (!isObject(value)) return { path, rule: `must be an object with ${member}` };
    const name = value[member];
    const problem = isKnown(name, `${path}.${member}`);
    return problem ?? (typeof name === 'string' ? shapes[name]?.(value, path) : undefined);
  };
}

/** The second of two shapes where the value is an object with the member, else the first. */
export const unless =
  <Value>(first: Shape, member: string, second: Shape): Shape<Value> =>
  (value, path) =>
    (isObject(value) && Object.hasOwn(value, member) ? second : first)(value, path);

export function firstProblem<T>(
  all: Iterable<T>,
  find: (one: T) => Problem | undefined,
): Problem | undefined {
  for (const one of all) {
    const problem = find(one);
    if (problem) return problem;
  }
  return undefined;
}
