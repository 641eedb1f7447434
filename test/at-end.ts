/**
 * What helpers opened, to be closed when their test file ends. They cannot say so by `afterAll`: files of one worker share
 * their modules, and a hook that is made while tests run belongs to the file that was read last.
 */
const opened: (() => unknown)[] = [];

export const atEnd = (close: () => unknown): void => void opened.push(close);

/** What was opened last is closed first. */
export async function closeAll(): Promise<void> {
  for (let close = opened.pop(); close; close = opened.pop()) await close();
}
