/**
 * JSON text that depends on the value alone: members in one order, absent where undefined. What JSON cannot hold is a
 * bug of the caller, and refused: stored as null it would come back as something else.
 */
export const canonicalText = (value: unknown): string => JSON.stringify(ordered(value));

/** The value with its members sorted, itself where they are: what was stored before is, and then costs no copy. */
function ordered(value: unknown): unknown {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  if (Array.isArray(value)) return orderedList(value);
  if (typeof value === 'object' && isPlain(value))
    return orderedObject(value as Readonly<Record<string, unknown>>);
  throw new TypeError(`A record cannot contain ${typeof value === 'number' ? value : typeof value}`);
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function orderedList(list: readonly unknown[]): readonly unknown[] {
  const next = list.map(ordered);
  return next.every((item, index) => item === list[index]) ? list : next;
}

function orderedObject(value: Readonly<Record<string, unknown>>): object {
  const names = Object.keys(value);
  let isSame = true;
  const members: unknown[] = [];
  for (let i = 0; i < names.length; i++) {
    const name = names[i] ?? '';
    const member = value[name];
    const next = member === undefined ? undefined : ordered(member);
    members.push(next);
    isSame &&= next === member && (i === 0 || (names[i - 1] ?? '') < name);
  }
  if (isSame) return value;
  const sorted: Record<string, unknown> = {};
  for (const index of orderOf(names)) {
    const name = names[index] ?? '';
    if (name === '__proto__')
      Object.defineProperty(sorted, name, { value: members[index], enumerable: true });
    // In one order, so that all records of a kind have one hidden class. Whole numbers come first in any object.
    else sorted[name] = members[index];
  }
  return sorted;
}

/** Records of a kind have their members in few orders, and sorting takes longer than all the rest. */
const orders = new Map<string, readonly number[]>();
const MOST_ORDERS = 500;
const LONGEST_REMEMBERED = 1000;

function orderOf(names: readonly string[]): readonly number[] {
  const key = JSON.stringify(names);
  const known = orders.get(key);
  if (known !== undefined) return known;
  const order = Array.from(names.keys()).toSorted((a, b) => ((names[a] ?? '') < (names[b] ?? '') ? -1 : 1));
  if (orders.size >= MOST_ORDERS) orders.clear();
  if (key.length <= LONGEST_REMEMBERED) orders.set(key, order);
  return order;
}
