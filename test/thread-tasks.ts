import { vi } from 'vitest';
import type { TestApp } from './app.ts';

/** The names of the tasks that threads run during the work. */
export async function threadTasks({ app }: TestApp, work: () => Promise<unknown>): Promise<string[]> {
  const run = vi.spyOn(app.context.threads, 'run');
  try {
    await work();
    return run.mock.calls.map(([name]) => name);
  } finally {
    run.mockRestore();
  }
}
