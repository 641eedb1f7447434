import type { Logger } from 'pino';
import type { Caller } from '../context.ts';

const FLUSH_EVERY_MS = 15_000;

interface Uses {
  readonly tokenIds: readonly string[];
  readonly userIds: readonly string[];
}

/** When tokens and people were last seen: noted in memory, written now and then, so that reading stays reading. */
export function collectUses(write: (uses: Uses) => Promise<void>, log: Logger) {
  let tokenIds = new Set<string>();
  let userIds = new Set<string>();
  const flush = async () => {
    if (tokenIds.size === 0) return;
    const uses = { tokenIds: [...tokenIds], userIds: [...userIds] };
    tokenIds = new Set();
    userIds = new Set();
    await write(uses).catch((error: unknown) => log.warn({ err: error }, 'last use could not be noted'));
  };
  setInterval(() => void flush(), FLUSH_EVERY_MS).unref();
  return {
    add(caller: Caller) {
      tokenIds.add(caller.tokenId);
      userIds.add(caller.id);
    },
    flush,
  };
}
