import { expect, test } from 'vitest';
import { sendAhead } from './send-ahead.ts';

test('the next statement is sent while one is executed, and no third one', async () => {
  const log: string[] = [];
  const statement = (name: string) => async () => {
    log.push(`send ${name}`);
    await new Promise(setImmediate);
    log.push(`end ${name}`);
  };
  await sendAhead(['a', 'b', 'c'].map(statement));
  expect(log).toEqual(['send a', 'send b', 'end a', 'send c', 'end b', 'end c']);
});

test('after a failure nothing is sent, and the statement in flight is awaited', async () => {
  const log: string[] = [];
  const statements = [
    () => Promise.reject(new Error('first')),
    async () => {
      await new Promise(setImmediate);
      log.push('second ended');
      throw new Error('second');
    },
    async () => log.push('third sent'),
  ];
  await expect(sendAhead(statements)).rejects.toThrow('first');
  expect(log).toEqual(['second ended']);
});
