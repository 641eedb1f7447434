import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { scriptAt } from '../script.ts';

/**
 * Starts a process whose memory the system gets back when it ends: the allocator of a long-lived process keeps much of it.
 * `file` is the URL of a module beside the caller, without extension.
 */
export function startChild(file: URL, flags: readonly string[] = []): ChildProcess {
  const { url, isSource } = scriptAt(file);
  return fork(fileURLToPath(url), {
    execArgv: [...flags, ...(isSource ? ['--import', import.meta.resolve('tsx')] : [])],
    env: {},
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
}

/**
 * Called in the child. A terminal or a supervisor sends its signals to children, too, while the server completes its
 * requests.
 */
export function endWithServer(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
  process.on('disconnect', () => process.exit());
}
