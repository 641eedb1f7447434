import { setImmediate as turn } from 'node:timers/promises';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import type { Caller } from '../../api/context.ts';
import { collectUses } from './last-use.ts';

const callerWith = (tokenId: string): Caller => ({
  id: 'ada',
  tokenId,
  scopes: null,
  displayName: 'Ada',
  photoUrl: null,
  email: 'ada@example.org',
  emailProven: true,
});

function recorded(firstUse: (tokenIds: readonly string[]) => Promise<void>) {
  const written: (readonly string[])[] = [];
  const lastUse = async ({ tokenIds }: { tokenIds: readonly string[] }) => void written.push(tokenIds);
  return { written, uses: collectUses({ firstUse, lastUse }, pino({ level: 'silent' })) };
}

test('the first use of a token is written at once, all uses now and then', async () => {
  const first: (readonly string[])[] = [];
  const { written, uses } = recorded(async (tokenIds) => void first.push(tokenIds));
  for (const id of ['one', 'two', 'one']) uses.add(callerWith(id));
  await turn();
  expect(first).toEqual([['one', 'two']]);
  uses.add(callerWith('one'));
  await turn();
  expect([first.length, written]).toEqual([1, []]);
  await uses.flush();
  expect([first.length, written]).toEqual([1, [['one', 'two']]]);
});

test('a first use that could not be written is written with the others', async () => {
  const { written, uses } = recorded(() => Promise.reject(new Error('the database is away')));
  uses.add(callerWith('one'));
  await turn();
  await uses.flush();
  expect(written).toEqual([['one']]);
});

test('closing waits for a first use', async () => {
  let isWritten = false;
  const { uses } = recorded(async () => {
    await turn();
    isWritten = true;
  });
  uses.add(callerWith('one'));
  await uses.flush();
  expect(isWritten).toBe(true);
});
