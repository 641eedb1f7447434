/** Values of one part: parsing it takes a few milliseconds. */
const PART_VALUES = 10_000;

type Container = Record<string, unknown>;
type Key = string;

/**
 * One part of a JSON value: at `path`, a whole value, or members of a container that an earlier part began. A large value
 * has several, so that it can be parsed in slices.
 */
type Part = readonly [path: readonly Key[], value: unknown, members?: readonly (readonly [Key, unknown])[]];

const isContainer = (value: unknown): value is Container => typeof value === 'object' && value !== null;

/** A value as JSON texts, in order, for `joinJson`. */
export function splitJson(root: unknown): string[] {
  const sizes = countValues(root);
  const sizeOf = (value: unknown): number => (isContainer(value) ? (sizes.get(value) ?? 1) : 1);
  const parts: string[] = [];
  const emit = (part: Part) => parts.push(JSON.stringify(part));
  // One call for each large container around another: nesting is limited where documents are read.
  const split = (path: readonly Key[], value: unknown): void => {
    if (!isContainer(value) || sizeOf(value) <= PART_VALUES) return void emit([path, value]);
    emit([path, Array.isArray(value) ? [] : {}]);
    let members: [Key, unknown][] = [];
    let size = 0;
    const flush = () => {
      if (members.length > 0) emit([path, null, members]);
      members = [];
      size = 0;
    };
    for (const [key, member] of Object.entries(value)) {
      const own = sizeOf(member);
      if (size + own > PART_VALUES) flush();
      if (own > PART_VALUES) split([...path, key], member);
      else if (member !== undefined) {
        members.push([key, member]);
        size += own;
      }
    }
    flush();
  };
  split([], root);
  return parts;
}

/** How many values each container has, itself included. */
function countValues(root: unknown): Map<object, number> {
  const sizes = new Map<object, number>();
  const order: Container[] = isContainer(root) ? [root] : [];
  for (const container of order)
    for (const member of Object.values(container)) if (isContainer(member)) order.push(member);
  for (const container of order.toReversed()) {
    let size = 1;
    for (const member of Object.values(container)) size += isContainer(member) ? (sizes.get(member) ?? 1) : 1;
    sizes.set(container, size);
  }
  return sizes;
}

/** Parses the parts, one in each step. */
export function* joinJson(texts: readonly string[]): Generator<void, unknown, void> {
  let root: unknown;
  for (const text of texts) {
    const [path, value, members] = JSON.parse(text) as Part;
    if (members) for (const [key, member] of members) setMember(at(root, path), key, member);
    else if (path.length === 0) root = value;
    else setMember(at(root, path.slice(0, -1)), path.at(-1) ?? '', value);
    yield;
  }
  return root;
}

const at = (root: unknown, path: readonly Key[]): unknown =>
  path.reduce((value: unknown, key) => (value as Container)[key], root);

/** An assignment to `__proto__` would not make a member. */
const setMember = (container: unknown, key: Key, value: unknown): void =>
  void Object.defineProperty(container as object, key, {
    value,
    configurable: true,
    enumerable: true,
    writable: true,
  });
