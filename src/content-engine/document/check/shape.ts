/** What is wrong in a value, and where. */
export interface Problem {
  readonly path: string;
  readonly rule: string;
}

/** Returns the first problem of a value; undefined where it is valid. */
export type Shape = (value: unknown, path: string) => Problem | undefined;

export type Plain = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Plain =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const that =
  (isGood: (value: unknown) => boolean, rule: string): Shape =>
  (value, path) =>
    isGood(value) ? undefined : { path, rule };

export const text = that((value) => typeof value === 'string', 'must be a string');
export const someText = that(
  (value) => typeof value === 'string' && value !== '',
  'must be a non-empty string',
);
export const flag = that((value) => typeof value === 'boolean', 'must be true or false');
export const number = that((value) => typeof value === 'number', 'must be a number');
export const anObject = that(isObject, 'must be an object');

export const integer = (least: number, most: number): Shape =>
  that(
    (value) => typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most,
    `must be a whole number from ${least} to ${most}`,
  );

export const like = (pattern: RegExp, rule: string): Shape =>
  that((value) => typeof value === 'string' && pattern.test(value), rule);

export const oneOf = (...values: readonly string[]): Shape =>
  that((value) => typeof value === 'string' && values.includes(value), `must be one of ${values.join(', ')}`);

export const listOf =
  (item: Shape): Shape =>
  (value, path) => {
    if (!Array.isArray(value)) return { path, rule: 'must be a list' };
    return firstProblem(value.entries(), ([index, each]) => item(each, `${path}.${index}`));
  };

export const mapOf =
  (member: Shape, isName: Shape = () => undefined): Shape =>
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

/** An object by its members. Members that are not listed are ignored. */
export function members(shapes: Readonly<Record<string, Shape>>): Shape {
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
export function byMember(member: string, shapes: Readonly<Record<string, Shape>>): Shape {
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
  (first: Shape, member: string, second: Shape): Shape =>
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
