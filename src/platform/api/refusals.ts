import { ApiError } from './errors.ts';
import { TooLargeHere } from './too-large-here.ts';

/**
 * The outcome of one request of a batch: its value, or why it leaves the batch (a refusal, or that it is too large for this process).
 * Any other error cannot be attributed to one request and fails the batch.
 */
export async function captureRefusal<T>(work: () => Promise<T>): Promise<PromiseSettledResult<T>> {
  try {
    return { status: 'fulfilled', value: await work() };
  } catch (reason) {
    if (reason instanceof ApiError || reason instanceof TooLargeHere) return { status: 'rejected', reason };
    throw reason;
  }
}

/** Sequentially, in order. */
export async function captureRefusals<W, T>(
  works: readonly W[],
  work: (each: W) => Promise<T>,
): Promise<PromiseSettledResult<T>[]> {
  const outcomes: PromiseSettledResult<T>[] = [];
  for (const each of works) outcomes.push(await captureRefusal(() => work(each)));
  return outcomes;
}

export function unwrap<T>(outcome: PromiseSettledResult<T>): T {
  if (outcome.status === 'rejected') throw outcome.reason;
  return outcome.value;
}
