import fc from 'fast-check';

/** Every place inside a value, as the keys that lead to it. */
export function placesIn(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  const inner = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  return [
    ...(path.length > 0 ? [path] : []),
    ...inner.flatMap(([key, each]) => placesIn(each, [...path, key])),
  ];
}

/** A copy of a value with the mutation of one place. */
export function changedAt(
  value: unknown,
  [key, ...rest]: readonly string[],
  change: (inside: Record<string, unknown>, key: string) => void,
): unknown {
  if (key === undefined) return structuredClone(value);
  // Of the objects that contain the place; the others are shared.
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<string, unknown>;
  if (rest.length === 0) change(copy, key);
  else copy[key] = changedAt(copy[key], rest, change);
  return copy;
}

export const deep = (levels: number): unknown =>
  levels === 0 ? 'x' : levels % 2 ? [deep(levels - 1)] : { a: deep(levels - 1) };

/** Replacements for a member of a document that may be invalid there. */
export const INVALID_VALUES: readonly unknown[] = [
  null,
  true,
  0,
  -1.5,
  1e308,
  '',
  ' ',
  'zork',
  'a\u0000b',
  '\ud800',
  '__proto__',
  'constructor',
  'https://x.org/"><script>',
  'javascript:alert(1)',
  'a, b',
  '{% endhint %}',
  `1${'-1'.repeat(2000)}`,
  [],
  [null],
  ['x'],
  {},
  { kind: 'url' },
  { kind: 'url', url: null },
  { kind: 'page' },
  { kind: 'user', user: null },
  { kind: 'zork', zork: 'x' },
  { toString: 1, valueOf: 2 },
  JSON.parse('{"__proto__":{"x":1},"constructor":5}'),
  deep(20),
  { object: 'text', leaves: [{ object: 'leaf', text: 'W', marks: [] }] },
  { object: 'inline', type: 'widget', nodes: [] },
  { object: 'block', type: 'zork', nodes: [] },
  { object: 'block', type: 'paragraph', nodes: [{ object: 'block', type: 'paragraph' }] },
];

export interface Mutation {
  readonly at: number;
  /** Undefined: removes the member; a place: copies the value from there. */
  readonly value: { readonly put: unknown } | { readonly from: number } | undefined;
}

export const mutations: fc.Arbitrary<Mutation[]> = fc.array(
  fc.record({
    at: fc.nat(),
    value: fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...INVALID_VALUES).map((put) => ({ put })) },
      { weight: 2, arbitrary: fc.nat().map((from) => ({ from })) },
      { weight: 1, arbitrary: fc.constant(undefined) },
    ),
  }),
  { minLength: 1, maxLength: 3 },
);

export function mutate(document: unknown, all: readonly Mutation[]): unknown {
  let changed = document;
  for (const { at, value } of all) {
    const places = placesIn(changed);
    const place = places[at % places.length];
    if (!place) continue;
    const other = value && 'from' in value ? places[value.from % places.length] : undefined;
    const copied = other?.reduce<unknown>((inside, key) => (inside as Record<string, unknown>)[key], changed);
    changed = changedAt(changed, place, (inside, key) => {
      if (value === undefined) delete inside[key];
      else inside[key] = 'put' in value ? value.put : copied;
    });
  }
  return changed;
}
