import { readdir, readFile } from 'node:fs/promises';

/** Command lines and environments of all processes of this machine, by process id. Linux only. */
export async function readProcesses(): Promise<Map<number, string>> {
  const found = new Map<number, string>();
  const pids = (await readdir('/proc')).map(Number).filter((pid) => pid > 0 && pid !== process.pid);
  for (const pid of pids) {
    const [command, environment] = await Promise.all(
      ['cmdline', 'environ'].map((file) => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '')),
    );
    found.set(pid, `${command}\0${environment}`);
  }
  return found;
}

/** Those that have the text in their command line or environment. */
export async function findProcesses(text: string): Promise<string[]> {
  return [...(await readProcesses()).values()].filter((process) => process.includes(text));
}
