import { readClock, type ThreadClock } from './thread-clock.ts';

const CHECK_MS = 100;

/** Aborted when a task has used its CPU time, or when the wall clock says that it hangs. */
export function startTaskLimit(clock: ThreadClock, cpuMs: number, wallMs: number) {
  const controller = new AbortController();
  const start = performance.now();
  const timer = setInterval(() => {
    const elapsed = performance.now() - start;
    if ((readClock(clock) ?? elapsed) > cpuMs || elapsed > wallMs) controller.abort();
  }, CHECK_MS);
  return { signal: controller.signal, end: () => clearInterval(timer) };
}
