/** The CPU time of the process during the work, in milliseconds: it does not pass while other processes run. */
export function cpuTimeOf(work: () => unknown): number {
  const started = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(started);
  return (user + system) / 1000;
}

/** A collection of garbage can lengthen any single call. */
const ATTEMPTS = 5;

/** What takes less is not distinguished from noise. */
const LEAST_MS = 10;

/** How many times as much CPU time `work` takes as `baseline`: the least of some attempts, up to `enough`. */
export function cpuTimeRatio(work: () => unknown, baseline: () => unknown, enough: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < ATTEMPTS && least >= enough; attempt++) {
    const base = Math.max(LEAST_MS, cpuTimeOf(baseline));
    least = Math.min(least, cpuTimeOf(work) / base);
  }
  return least;
}
