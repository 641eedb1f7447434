import { parentPort, workerData } from 'node:worker_threads';
import { answerRequests } from './worker-thread.ts';
import { CompileError, Compiler, type Compiled, type Source } from './compiler.ts';
import { joinPdfs, type Target } from './join/join.ts';

/** Entry point of the worker thread that compiles the parts of a document and joins them. */

export type Task =
  | { readonly compile: Source }
  | { readonly join: readonly Uint8Array[]; readonly targets: readonly Target[] };

export type TaskResult = Compiled | { readonly error: string } | { readonly joined: Uint8Array };

if (!parentPort) throw new Error('This function runs only in a worker thread.');
const compiler = new Compiler(workerData as WebAssembly.Module);

async function perform(task: Task): Promise<TaskResult> {
  if ('join' in task) return { joined: joinPdfs(task.join, task.targets) };
  try {
    return await compiler.compile(task.compile);
  } catch (error) {
    if (error instanceof CompileError) return { error: error.message };
    throw error;
  }
}

answerRequests(parentPort, perform);
