/** Actions to undo at the end, however the process ends, in reverse order. */
export interface Cleanup {
  /** Call it before starting anything. The returned function undoes it now, and not again at the end. */
  add(undo: () => Promise<void>): () => Promise<void>;
  run(): Promise<void>;
}

export function createCleanup(): Cleanup {
  const pending: (() => Promise<void>)[] = [];
  let running: Promise<void> | undefined;

  const runAll = async () => {
    for (let undo = pending.pop(); undo; undo = pending.pop()) {
      await undo().catch((error: unknown) => console.error(error));
    }
  };
  return {
    add(undo) {
      if (running) throw new Error('Cleanup is running: nothing more may start.');
      let done: Promise<void> | undefined;
      const once = () => (done ??= undo());
      pending.push(once);
      return once;
    },
    run: () => (running ??= runAll()),
  };
}

/** Also for uncaught errors and for signals, such as Ctrl-C, which both terminal and npm may send. */
export function cleanUpOnExit(cleanup: Cleanup): void {
  const end = (code: number) => void cleanup.run().then(() => process.exit(code));
  process.on('SIGINT', () => end(130));
  process.on('SIGTERM', () => end(143));
  process.on('SIGHUP', () => end(129));
  process.on('uncaughtException', (error) => {
    console.error(error);
    end(1);
  });
}
