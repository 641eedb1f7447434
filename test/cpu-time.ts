/** The CPU time of the process during the work, in milliseconds: it does not pass while other processes run. */
export function cpuTimeOf(work: () => unknown): number {
  const started = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(started);
  return (user + system) / 1000;
}
