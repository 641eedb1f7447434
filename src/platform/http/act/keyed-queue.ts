/**
 * Limits of a batch, so that the next request does not wait long. Small requests must be small together, too
 * (`MAX_SMALL.text`): a batch that turns out to be too large for the front is done again, one by one.
 */
const MAX_BATCH_LENGTH = 32;
const MAX_BATCH_BYTES = 32 * 1024;

export interface QueuedWork {
  /** May be done in one batch with its neighbours. */
  readonly isBatchable: boolean;
  readonly bytes: number;
}

interface Entry<W, A> {
  readonly work: W;
  readonly resolve: (answer: A) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Work under one key runs in the order of arrival, under different keys concurrently. Batchable work that arrived while
 * other work ran is handed over together.
 */
export function createKeyedQueue<W extends QueuedWork, A>(
  runBatch: (works: readonly W[]) => Promise<readonly PromiseSettledResult<A>[]>,
): (key: string, work: W) => Promise<A> {
  /** Waiting entries by key. A key is present while its work runs. */
  const lines = new Map<string, Entry<W, A>[]>();

  async function drain(key: string, line: Entry<W, A>[]): Promise<void> {
    while (line.length > 0) {
      const entries = line.splice(0, batchLength(line));
      try {
        const outcomes = await runBatch(entries.map(({ work }) => work));
        for (const [index, { resolve, reject }] of entries.entries()) {
          const outcome = outcomes[index];
          if (outcome?.status === 'fulfilled') resolve(outcome.value);
          else reject(outcome?.reason);
        }
      } catch (error) {
        for (const { reject } of entries) reject(error);
      }
    }
    lines.delete(key);
  }

  return (key, work) =>
    new Promise((resolve, reject) => {
      const entry = { work, resolve, reject };
      const line = lines.get(key);
      if (line) return void line.push(entry);
      const started = [entry];
      lines.set(key, started);
      void drain(key, started);
    });
}

/** How many entries at the head of the line form the next batch. */
function batchLength<W extends QueuedWork>(line: readonly { readonly work: W }[]): number {
  if (!line[0]?.work.isBatchable) return 1;
  let bytes = 0;
  const end = line.findIndex(({ work }, index) => {
    bytes += work.bytes;
    return index > 0 && (index === MAX_BATCH_LENGTH || bytes > MAX_BATCH_BYTES || !work.isBatchable);
  });
  return end === -1 ? line.length : end;
}
