import type { ConvertInput, ConvertOutcome } from '../../../../content-engine/html/index.ts';
import type { ImportWork } from '../../folder/imported-folder.ts';

const MAX_PAGES = 16;
const MAX_BYTES = 1024 * 1024;
const MAX_RUNNING = 2;

interface Waiting {
  readonly input: ConvertInput;
  readonly resolve: (outcome: ConvertOutcome) => void;
  readonly reject: (error: unknown) => void;
}

/** Converts pages as they arrive. Pages that arrive during a conversion are the next batch. */
export function createBatches(
  convert: ImportWork['convert'],
): (input: ConvertInput) => Promise<ConvertOutcome> {
  const waiting: Waiting[] = [];
  let running = 0;

  function start(): void {
    while (running < MAX_RUNNING && waiting.length > 0) {
      running++;
      void run(takeBatch(waiting));
    }
  }

  async function run(batch: readonly Waiting[]): Promise<void> {
    try {
      const outcomes = await convert(batch.map(({ input }) => input));
      for (const [index, { resolve }] of batch.entries()) {
        resolve(outcomes[index] ?? { failure: 'The page was not converted.' });
      }
    } catch (error) {
      for (const { reject } of batch) reject(error);
    } finally {
      running--;
      start();
    }
  }

  return (input) =>
    new Promise((resolve, reject) => {
      waiting.push({ input, resolve, reject });
      start();
    });
}

function takeBatch(waiting: Waiting[]): Waiting[] {
  let count = 0;
  let bytes = 0;
  for (const { input } of waiting) {
    bytes += input.bytes.length;
    if (count === MAX_PAGES || (count > 0 && bytes > MAX_BYTES)) break;
    count++;
  }
  return waiting.splice(0, count);
}
