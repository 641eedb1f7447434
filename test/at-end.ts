/**
 * Closes resources of helpers when their test file ends. Helpers cannot use `afterAll`: files of one worker share their
 * modules, and a hook that is registered while tests run belongs to the file that was loaded last.
 */
const opened: (() => unknown)[] = [];

export const atEnd = (close: () => unknown): void => void opened.push(close);

/** In reverse order of opening. One that fails does not keep the others open. */
export async function closeAll(): Promise<void> {
  const errors: unknown[] = [];
  for (let close = opened.pop(); close; close = opened.pop()) {
    try {
      await close();
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw new AggregateError(errors, `not closed: ${errors.join('; ')}`);
}
