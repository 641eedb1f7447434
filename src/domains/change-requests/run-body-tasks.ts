import type { BodyResult, RunBodyTasks } from '../../content-engine/merge/index.ts';
import type { Tree } from '../../content-engine/tree/index.ts';
import type { Context } from '../../platform/api/context.ts';
import { DeferredWork } from '../../platform/api/deferred-work.ts';
import { engineOf, isLarge } from '../revisions/index.ts';

/**
 * Runs tasks on small bodies at once, and serves other requests between them. Large bodies are processed in threads
 * while no lock is held: the transaction starts over with the results. `tree` has the titles for error messages.
 */
export function bodyTasksFor(
  { threads, finishedWork }: Pick<Context, 'threads' | 'finishedWork'>,
  organizationId: string,
  tree: Tree,
): RunBodyTasks {
  const engine = engineOf({ threads }, organizationId);
  return async (name, tasks) => {
    type Task = (typeof tasks)[number];
    type Result = BodyResult<typeof name>;
    const keyOf = ({ key }: Task) => `${name} ${key}`;
    const run = ({ input, size, entry }: Task) =>
      engine.run(name, input, { size, what: describeEntry(tree, entry) });
    const unfinished = tasks.filter((task) => isLarge(task.size) && !finishedWork?.has(keyOf(task)));
    if (finishedWork && unfinished.length > 0) {
      throw new DeferredWork(async () => {
        const results = new Map<string, Result>();
        for (const task of unfinished) results.set(keyOf(task), await run(task));
        return results;
      });
    }
    const results: Result[] = [];
    for (const task of tasks) {
      const key = keyOf(task);
      results.push(finishedWork?.has(key) ? (finishedWork.get(key) as Result) : await run(task));
    }
    return results;
  };
}

function describeEntry(tree: Tree, id: string): string {
  const record = tree.records.get(id);
  if (record?.kind === 'page') return `The page "${record.title}" (${id})`;
  return record?.kind === 'reusable-content' ? `The reusable content "${record.title}" (${id})` : id;
}
