import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { longestTurn } from '../../../test/longest-turn.ts';
import { withoutPauses, type Pause } from '../pause.ts';
import { apply, build, type Load } from './index.ts';

const RECORDS = 600;
const CHANGED = 50;

const record = (index: number, title: string) => ({
  id: `record${index}`,
  title,
  variables: Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`v${i}`, 'v'.repeat(100)])),
});

test('a change of few records beside large ones is applied in small steps', async () => {
  const { root, nodes } = build(Array.from({ length: RECORDS }, (_, i) => record(i, 'Before')));
  const load: Load = async (hashes) => hashes.map((hash) => nodes.get(hash));
  const changes = new Map(Array.from({ length: CHANGED }, (_, i) => [`record${i}`, record(i, 'After')]));
  const applied = (pause: Pause) => apply(load, root, changes, pause);
  expect((await applied(setImmediate)).root).toBe((await applied(withoutPauses)).root);
  let least = 1;
  for (let attempt = 0; attempt < 3 && least > 0.15; attempt++) {
    const atOnce = await longestTurn(() => applied(withoutPauses));
    least = Math.min(least, (await longestTurn(() => applied(setImmediate))) / atOnce);
  }
  expect(least).toBeLessThan(0.15);
});
