import { tasks as engineTasks } from './content-engine/tasks.ts';
import { importTasks } from './domains/imports/thread-tasks.ts';

/** The functions that run in threads, by name. */
export const tasks = { ...engineTasks, ...importTasks };
