import type { RunBodyTasks } from '../../../content-engine/merge/index.ts';
import { totalOf } from '../../../content-engine/size-of-text.ts';
import type { Tree } from '../../../content-engine/tree/index.ts';
import type { Context } from '../../../platform/api/context.ts';
import { requireSmall } from '../../../platform/api/too-large-here.ts';
import { runTask } from '../../content-store/index.ts';

/** Runs tasks on bodies. `tree` has the titles for error messages. */
export const bodyTasksFor =
  (ctx: Pick<Context, 'isFront'>, tree: Tree): RunBodyTasks =>
  (tasks) => {
    requireSmall(ctx, 'text', totalOf(tasks.map(({ size }) => size)));
    return tasks.map(({ size, entry, perform }) =>
      runTask(ctx, { size, what: describeEntry(tree, entry) }, perform),
    );
  };

function describeEntry(tree: Tree, id: string): string {
  const record = tree.records.get(id);
  if (record?.kind === 'page') return `The page "${record.title}" (${id})`;
  return record?.kind === 'reusable-content' ? `The reusable content "${record.title}" (${id})` : id;
}
