import { cpus } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';

const LOOK_MS = 500;
const IDLE_ENOUGH = 0.85;

/** Waits until other programs leave the machine alone, but no longer than `seconds`. */
export async function untilQuiet(seconds: number): Promise<void> {
  const deadline = performance.now() + seconds * 1000;
  let before = processorTimes();
  while (performance.now() < deadline) {
    await delay(LOOK_MS);
    const now = processorTimes();
    if ((now.idle - before.idle) / (now.all - before.all) >= IDLE_ENOUGH) return;
    before = now;
  }
}

function processorTimes(): { idle: number; all: number } {
  const times = cpus().map(({ times }) => times);
  const idle = times.reduce((sum, one) => sum + one.idle, 0);
  const all = times.reduce((sum, one) => sum + one.user + one.nice + one.sys + one.irq + one.idle, 0);
  return { idle, all };
}
