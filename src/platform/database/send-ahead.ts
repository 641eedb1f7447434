/** Sends each statement while the database executes the one before it: two at a time, so that few are in memory. */
export async function sendAhead(statements: Iterable<() => Promise<unknown>>): Promise<void> {
  let last: Promise<unknown> = Promise.resolve();
  try {
    for (const send of statements) {
      const before = last;
      last = send();
      // It may fail while the one before it is awaited; its own await throws the error.
      last.catch(() => undefined);
      await before;
    }
  } catch (error) {
    // Nothing may be sent after the transaction has ended.
    await Promise.allSettled([last]);
    throw error;
  }
  await last;
}
