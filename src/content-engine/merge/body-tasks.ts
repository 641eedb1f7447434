import { carryBlockConflicts } from './carry-block-conflicts.ts';
import { mergeDocument } from './merge-document.ts';
import { removeBlocks } from './remove-blocks.ts';

/** What is done to whole bodies. Arguments and results can be copied, so that it can be done in another thread. */
export const bodyTasks = { mergeDocument, carryBlockConflicts, removeBlocks };

type Tasks = typeof bodyTasks;

export interface BodyTask {
  /** The page or reusable content that the bodies are of. */
  readonly entry: string;
  /** Characters of the bodies. */
  readonly size: number;
}

/** Where a task runs is not for the engine to decide. */
export type RunBodyTask = <N extends keyof Tasks>(
  name: N,
  input: Parameters<Tasks[N]>[0],
  task: BodyTask,
) => Promise<ReturnType<Tasks[N]>>;

/** In this thread. */
export const runHere: RunBodyTask = async (name, input) =>
  (bodyTasks[name] as (argument: typeof input) => ReturnType<Tasks[typeof name]>)(input);
