import type { Size } from '../size-of-text.ts';
import { relocateConflictBlocks } from './relocate-conflict-blocks.ts';
import { mergeDocument } from './merge-document.ts';
import { removeBlocks } from './remove-blocks.ts';

/** Work on whole bodies. Arguments and results can be copied, so that it can run in another thread. */
export const bodyTasks = { mergeDocument, relocateConflictBlocks, removeBlocks };

type Tasks = typeof bodyTasks;

export type BodyResult<N extends keyof Tasks> = ReturnType<Tasks[N]>;

export interface BodyTask<Input> {
  readonly input: Input;
  /** Equal for tasks that have the same result. */
  readonly key: string;
  /** The page or reusable content of the bodies. */
  readonly entry: string;
  /** Of the bodies. */
  readonly size: Size;
}

/** Runs tasks where and when the caller decides. Results are in the order of the tasks. */
export type RunBodyTasks = <N extends keyof Tasks>(
  name: N,
  tasks: readonly BodyTask<Parameters<Tasks[N]>[0]>[],
) => Promise<BodyResult<N>[]>;

/** Runs tasks in this thread, one after the other. */
export const runHere: RunBodyTasks = async (name, tasks) => {
  type Input = (typeof tasks)[number]['input'];
  const run = bodyTasks[name] as (input: Input) => BodyResult<typeof name>;
  return tasks.map(({ input }) => run(input));
};
