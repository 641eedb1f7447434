import { expect, test } from 'vitest';
import { createAttempts, ProcessLost } from './attempts.ts';

const lost = () => Promise.reject(new ProcessLost());
const listening = () => Promise.resolve();

test('what fails by itself is not tried again', async () => {
  let tries = 0;
  const attempt = () => {
    tries += 1;
    return Promise.reject(new Error('refused'));
  };
  await expect(createAttempts(listening).perform(attempt)).rejects.toThrow('refused');
  expect(tries).toBe(1);
});

test('requests that a process was lost with are tried again, one after the other; others wait for them', async () => {
  const attempts = createAttempts(listening);
  const running = new Set<string>();
  const log: string[] = [];
  const loseOnce = (name: string) => {
    let isFirst = true;
    return async () => {
      if (isFirst) {
        isFirst = false;
        return lost();
      }
      expect([...running]).toEqual([]);
      running.add(name);
      await new Promise((resolve) => setTimeout(resolve, 5));
      running.delete(name);
      log.push(name);
      return name;
    };
  };
  const first = attempts.perform(loseOnce('a'));
  const second = attempts.perform(loseOnce('b'));
  await new Promise((resolve) => setImmediate(resolve));
  const third = attempts.perform(async () => {
    expect([...running]).toEqual([]);
    log.push('c');
    return 'c';
  });
  expect(await Promise.all([first, second, third])).toEqual(['a', 'b', 'c']);
  expect(log).toEqual(['a', 'b', 'c']);
});

test('a request that the next process is lost with, too, is the cause; those after it succeed', async () => {
  const attempts = createAttempts(listening);
  let tries = 0;
  const cause = attempts.perform(() => {
    tries += 1;
    return lost();
  });
  await expect(cause).rejects.toThrow(ProcessLost);
  expect(tries).toBe(2);
  await attempts.settled();
  expect(await attempts.perform(async () => 'done')).toBe('done');
});

test('a request waits until a process listens', async () => {
  let listen = (): void => undefined;
  const untilListening = new Promise<void>((resolve) => (listen = resolve));
  const attempts = createAttempts(() => untilListening);
  let isDone = false;
  const performed = attempts.perform(async () => (isDone = true));
  await new Promise((resolve) => setImmediate(resolve));
  expect(isDone).toBe(false);
  listen();
  expect(await performed).toBe(true);
});
