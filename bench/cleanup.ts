/** What has to be undone at the end, however the end comes: the last thing first. */
export interface Cleanup {
  /** Call it before starting anything. The function given back does it now, and not again at the end. */
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
      if (running) throw new Error('It is being ended: nothing more may start.');
      let done: Promise<void> | undefined;
      const once = () => (done ??= undo());
      pending.push(once);
      return once;
    },
    run: () => (running ??= runAll()),
  };
}

/** Also where nobody could catch it: an error in a timer, or Ctrl-C, which terminal and npm may both send. */
export function cleanOnEnd(cleanup: Cleanup): void {
  const end = (code: number) => void cleanup.run().then(() => process.exit(code));
  process.on('SIGINT', () => end(130));
  process.on('SIGTERM', () => end(143));
  process.on('SIGHUP', () => end(129));
  process.on('uncaughtException', (error) => {
    console.error(error);
    end(1);
  });
}
