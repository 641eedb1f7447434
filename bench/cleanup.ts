/** What has to be undone at the end, however the end comes: the last thing first. */
export interface Cleanup {
  /** The function given back does it now, and not again at the end. */
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
      let done: Promise<void> | undefined;
      const once = () => (done ??= undo());
      pending.push(once);
      return once;
    },
    run: () => (running ??= runAll()),
  };
}

/** Ctrl-C may arrive twice, from the terminal and from npm: the second one must not cut the cleaning short. */
export function cleanOnSignals(cleanup: Cleanup): void {
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const) {
    process.on(signal, () => void cleanup.run().then(() => process.exit(code)));
  }
}
