import { mapInSteps } from '../in-steps.ts';
import { sortInSteps } from '../sort-in-steps.ts';
import { apply, type Changes, type Written } from './apply.ts';
import { keyOf, type NodeHash } from './hash.ts';
import type { Load } from './load.ts';
import type { Entry } from './node.ts';

/** Changes that are applied at once: they take some ten milliseconds. */
const PORTION = 500;

/**
 * The same as `apply`, for thousands of changes: `pause` is called between portions. They are in the order of keys, so that
 * only the few nodes at their borders are written more than once; those that the next portion replaces remain in `nodes`.
 */
export async function applyInPortions<E extends Entry>(
  load: Load,
  root: NodeHash,
  changes: Changes<E>,
  pause: () => Promise<void>,
): Promise<Written> {
  const nodes = new Map<NodeHash, Uint8Array>();
  const loadNew: Load = async (hashes) => {
    const stored = hashes.some((hash) => !nodes.has(hash)) ? await load(hashes) : [];
    return hashes.map((hash, index) => nodes.get(hash) ?? stored[index]);
  };
  const ordering = inOrderOfKeys(changes);
  let step = ordering.next();
  for (; !step.done; step = ordering.next()) await pause();
  const sorted = step.value;
  let current = root;
  for (let at = 0; at < sorted.length; at += PORTION) {
    const written = await apply(loadNew, current, new Map(sorted.slice(at, at + PORTION)), pause);
    for (const [hash, bytes] of written.nodes) nodes.set(hash, bytes);
    current = written.root;
    await pause();
  }
  return { root: current, nodes };
}

function* inOrderOfKeys<E extends Entry>(
  changes: Changes<E>,
): Generator<void, (readonly [string, E | null])[], void> {
  const keyed = yield* mapInSteps(changes, (change) => ({ key: keyOf(change[0]), change }));
  const sorted = yield* sortInSteps(keyed, (a, b) => (a.key < b.key ? -1 : 1));
  return sorted.map(({ change }) => change);
}
