import { ApiError } from './errors.ts';

/**
 * What became of one of several that are done together: its value, or what its caller is refused with. Whatever else goes
 * wrong is not its own affair, and is thrown.
 */
export async function settle<T>(work: () => Promise<T>): Promise<PromiseSettledResult<T>> {
  try {
    return { status: 'fulfilled', value: await work() };
  } catch (reason) {
    if (reason instanceof ApiError) return { status: 'rejected', reason };
    throw reason;
  }
}

/** One after another. */
export async function settleAll<W, T>(
  works: readonly W[],
  work: (each: W) => Promise<T>,
): Promise<PromiseSettledResult<T>[]> {
  const settled: PromiseSettledResult<T>[] = [];
  for (const each of works) settled.push(await settle(() => work(each)));
  return settled;
}

export function valueOf<T>(settled: PromiseSettledResult<T>): T {
  if (settled.status === 'rejected') throw settled.reason;
  return settled.value;
}
