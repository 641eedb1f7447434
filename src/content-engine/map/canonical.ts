/**
 * Canonical JSON: members are sorted, undefined members absent. Throws for values that JSON cannot represent, which
 * would change when they are read back.
 */
export const canonicalText = (value: unknown): string => JSON.stringify(ordered(value));

/** The value with sorted members. Returns the value itself if they are sorted already, as in stored records. */
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
    // One order gives all records of a kind one hidden class. Integer keys come first in any object.
    else sorted[name] = members[index];
  }
  return sorted;
}

/** Cache: records of a kind have few member orders, and sorting would dominate the cost. */
const orderCache = new Map<string, readonly number[]>();
const MAX_CACHED_ORDERS = 500;
const MAX_CACHED_LENGTH = 1000;

function orderOf(names: readonly string[]): readonly number[] {
  const key = JSON.stringify(names);
  const cached = orderCache.get(key);
  if (cached !== undefined) return cached;
  const order = Array.from(names.keys()).toSorted((a, b) => ((names[a] ?? '') < (names[b] ?? '') ? -1 : 1));
  if (orderCache.size >= MAX_CACHED_ORDERS) orderCache.clear();
  if (key.length <= MAX_CACHED_LENGTH) orderCache.set(key, order);
  return order;
}
