import { cpus } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';

/** A process for large requests that has done nothing for 30 s is replaced, and returns its memory. */
export const COLLECT_MS = 45_000;

const POLL_MS = 500;
const MIN_IDLE = 0.85;

/** Waits until other programs leave the machine idle, but no longer than `seconds`. */
export async function waitForIdle(seconds: number): Promise<void> {
  const deadline = performance.now() + seconds * 1000;
  let before = processorTimes();
  while (performance.now() < deadline) {
    await delay(POLL_MS);
    const now = processorTimes();
    if ((now.idle - before.idle) / (now.all - before.all) >= MIN_IDLE) return;
    before = now;
  }
}

function processorTimes(): { idle: number; all: number } {
  const times = cpus().map(({ times }) => times);
  const idle = times.reduce((sum, one) => sum + one.idle, 0);
  const all = times.reduce((sum, one) => sum + one.user + one.nice + one.sys + one.irq + one.idle, 0);
  return { idle, all };
}
