import { beforeAll, expect, test } from 'vitest';
import { pino } from 'pino';
import { startApp, type TestApp } from '../../../test/app.ts';
import { contentsOf, insert } from '../../../test/content.ts';
import { aSide } from '../../../test/world.ts';
import { deliver, type EventReader, type EventRow, type ReaderContext } from './index.ts';
import type { Failures } from './deliver.ts';

let app: TestApp;
const failures: Failures = new Map();
let ctx: ReaderContext;

beforeAll(async () => {
  app = await startApp();
  const { db } = app.app.installation.connection;
  ctx = { db, log: pino({ level: 'silent' }) } as unknown as ReaderContext;
});

/** A reader that fails at some events. */
function reader(name: string, failsAt: (event: EventRow) => boolean) {
  const read: number[] = [];
  const value: EventReader = {
    name,
    read: async (_ctx, events) => {
      for (const event of events) if (failsAt(event)) throw new Error('cannot be read');
      read.push(...events.map(({ sequence }) => sequence));
    },
  };
  return { read, value };
}

test('an event that cannot be processed blocks neither later events nor other readers', async () => {
  const contents = contentsOf(app, await aSide(app, 'alpha'));
  const space = await contents.aSpace();
  for (const title of ['One', 'Two', 'Three', 'Four']) await contents.edit(space, insert(title));
  const good = reader('good', () => false);
  let broken: number | undefined;
  const bad = reader('bad', ({ sequence }) => (broken ??= sequence + 1) === sequence);
  for (let sweeps = 0; sweeps < 6; sweeps++) await deliver(ctx, [bad.value, good.value], failures);
  expect(good.read.length).toBeGreaterThanOrEqual(4);
  expect(bad.read).toEqual(good.read.filter((sequence) => sequence !== broken));
  expect(bad.read).toHaveLength(good.read.length - 1);
});

test('an event whose delivery fails is retried', async () => {
  const contents = contentsOf(app, await aSide(app, 'beta'));
  await contents.edit(await contents.aSpace(), insert('One'));
  let tries = 0;
  const flaky = reader('late', () => ++tries < 4);
  for (let sweeps = 0; sweeps < 4; sweeps++) await deliver(ctx, [flaky.value], failures);
  const [row] = await app.sql('select count(*)::int as n from events');
  expect(flaky.read).toHaveLength(Number(row?.['n']));
});
