import { readFile } from 'node:fs/promises';

const PAGE_BYTES = 4096;

/** Megabytes of a process; 0 where the system does not tell: there, the limit of its heap must do. */
export async function memoryOf(pid: number | undefined): Promise<number> {
  const text = await readFile(`/proc/${pid}/statm`, 'utf8').catch(() => '0 0');
  return (Number(text.split(' ')[1]) * PAGE_BYTES) / (1024 * 1024);
}
