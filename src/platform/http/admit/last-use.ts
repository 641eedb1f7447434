import type { Logger } from 'pino';
import type { Caller } from '../../api/context.ts';

const FLUSH_EVERY_MS = 15_000;
/** Beyond it, first uses are written again, which has no effect. */
const MAX_SEEN = 10_000;

export interface Uses {
  readonly tokenIds: readonly string[];
  readonly userIds: readonly string[];
}

interface WriteUses {
  /** Records the use of tokens that this process sees for the first time. */
  firstUse(tokenIds: readonly string[]): Promise<void>;
  lastUse(uses: Uses): Promise<void>;
}

/**
 * Last use of tokens and members: collected in memory and written periodically, so that reads do not write. The first use
 * of a token is written at once: the start prints a token until one was used, also after a crash.
 */
export function collectUses(write: WriteUses, log: Logger) {
  let tokenIds = new Set<string>();
  let userIds = new Set<string>();
  const seen = new Set<string>();
  let firstUses: string[] = [];
  let writingFirst = Promise.resolve();

  const warn = (error: unknown) => log.warn({ err: error }, 'the last use of a token could not be recorded');
  const writeFirstUses = () => {
    const ids = firstUses;
    firstUses = [];
    if (ids.length > 0) writingFirst = writingFirst.then(() => write.firstUse(ids)).catch(warn);
    return writingFirst;
  };
  const flush = async () => {
    await writeFirstUses();
    if (tokenIds.size === 0) return;
    const uses = { tokenIds: [...tokenIds], userIds: [...userIds] };
    tokenIds = new Set();
    userIds = new Set();
    await write.lastUse(uses).catch(warn);
  };
  setInterval(() => void flush(), FLUSH_EVERY_MS).unref();
  return {
    add(caller: Caller) {
      tokenIds.add(caller.tokenId);
      userIds.add(caller.id);
      if (seen.has(caller.tokenId)) return;
      if (seen.size === MAX_SEEN) seen.clear();
      seen.add(caller.tokenId);
      if (firstUses.push(caller.tokenId) === 1) setImmediate(() => void writeFirstUses());
    },
    flush,
  };
}
