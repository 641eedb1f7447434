/** Not so many at once that whoever comes next waits long. */
const MOST_TOGETHER = 32;
const MOST_BYTES = 512 * 1024;

export interface Waiting {
  /** May be done together with its neighbours. */
  readonly mayJoin: boolean;
  readonly bytes: number;
}

interface Turn<W, A> {
  readonly work: W;
  readonly resolve: (answer: A) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Work under one key is done in the order it came, under different keys at once. What came while other work was done, and
 * may be joined, is handed over together.
 */
export function createQueue<W extends Waiting, A>(
  doAll: (works: readonly W[]) => Promise<readonly PromiseSettledResult<A>[]>,
): (key: string, work: W) => Promise<A> {
  /** Those who wait, by their key; there is none where nobody is at work. */
  const lines = new Map<string, Turn<W, A>[]>();

  async function serve(key: string, line: Turn<W, A>[]): Promise<void> {
    while (line.length > 0) {
      const turns = line.splice(0, countJoined(line));
      try {
        const settled = await doAll(turns.map(({ work }) => work));
        for (const [index, { resolve, reject }] of turns.entries()) {
          const result = settled[index];
          if (result?.status === 'fulfilled') resolve(result.value);
          else reject(result?.reason);
        }
      } catch (error) {
        for (const { reject } of turns) reject(error);
      }
    }
    lines.delete(key);
  }

  return (key, work) =>
    new Promise((resolve, reject) => {
      const turn = { work, resolve, reject };
      const line = lines.get(key);
      if (line) return void line.push(turn);
      const begun = [turn];
      lines.set(key, begun);
      void serve(key, begun);
    });
}

/** How many at the head of the line go together. */
function countJoined<W extends Waiting>(line: readonly { readonly work: W }[]): number {
  let bytes = 0;
  const end = line.findIndex(({ work }, index) => {
    bytes += work.bytes;
    return index > 0 && (index === MOST_TOGETHER || bytes > MOST_BYTES || !work.mayJoin);
  });
  if (!line[0]?.work.mayJoin) return 1;
  return end === -1 ? line.length : end;
}
