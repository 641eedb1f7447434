import { setImmediate } from 'node:timers/promises';
import type { RunBodyTask } from '../../content-engine/merge/index.ts';
import type { Tree } from '../../content-engine/tree/index.ts';
import type { Context } from '../../platform/context.ts';
import { engineOf, MAX_INLINE } from '../content/index.ts';

/**
 * Works on one body after the other: small ones on the event loop, which serves others between them, large ones in a
 * thread. `tree` has the titles that a refusal names.
 */
export function bodyTasksFor(ctx: Pick<Context, 'threads'>, organizationId: string, tree: Tree): RunBodyTask {
  const engine = engineOf(ctx, organizationId);
  let sinceLastPause = 0;
  return async (name, input, { entry, size }) => {
    if (size <= MAX_INLINE) {
      if (sinceLastPause + size > MAX_INLINE) {
        await setImmediate();
        sinceLastPause = 0;
      }
      sinceLastPause += size;
    }
    return engine.run(name, input, { size, what: describeEntry(tree, entry) });
  };
}

function describeEntry(tree: Tree, id: string): string {
  const record = tree.records.get(id);
  if (record?.kind === 'page') return `The page "${record.title}" (${id})`;
  return record?.kind === 'reusable-content' ? `The reusable content "${record.title}" (${id})` : id;
}
