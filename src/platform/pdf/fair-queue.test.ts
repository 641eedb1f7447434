import { describe, expect, it } from 'vitest';
import { createTurns } from './fair-queue.ts';

const never = new AbortController().signal;

describe('turns', () => {
  it('go to each owner in turn, however many documents one of them has', async () => {
    const turns = createTurns({ concurrency: 1, queue: 10 });
    const served: string[] = [];
    const first = await turns.take('a', never);
    expect(first.isWanted()).toBe(false);
    const work = ['a', 'a', 'a', 'b', 'c', 'b'].map(async (owner) => {
      const turn = await turns.take(owner, never);
      served.push(owner);
      turn.end();
    });
    expect(first.isWanted()).toBe(true);
    first.end();
    await Promise.all(work);
    const alone = await turns.take('a', never);
    const own = turns.take('a', never);
    expect(alone.isWanted()).toBe(false);
    alone.end();
    (await own).end();
    expect(served).toEqual(['a', 'b', 'c', 'a', 'b', 'a']);
  });

  it('are limited in number, and so is the queue of each owner, not that of all', async () => {
    const turns = createTurns({ concurrency: 2, queue: 1 });
    const [one, two] = [await turns.take('a', never), await turns.take('a', never)];
    const waiting = turns.take('a', never);
    await expect(turns.take('a', never)).rejects.toMatchObject({ reason: 'busy' });
    const other = turns.take('b', never);
    one.end();
    one.end();
    (await waiting).end();
    (await other).end();
    two.end();
    const again = await Promise.all([turns.take('a', never), turns.take('b', never)]);
    for (const turn of again) turn.end();
  });

  it('go to work that has begun before other work of its owner, however long the queue is', async () => {
    const turns = createTurns({ concurrency: 1, queue: 1 });
    const first = await turns.take('a', never);
    const served: string[] = [];
    const waiting = [
      turns.take('a', never).then((turn) => (served.push('new'), turn.end())),
      turns.take('a', never, true).then((turn) => (served.push('begun'), turn.end())),
    ];
    first.end();
    await Promise.all(waiting);
    expect(served).toEqual(['begun', 'new']);
  });

  it('are not given to who has given up', async () => {
    const turns = createTurns({ concurrency: 1, queue: 10 });
    const first = await turns.take('a', never);
    const giveUp = new AbortController();
    const gone = turns.take('b', giveUp.signal);
    const next = turns.take('c', never);
    giveUp.abort(new Error('gone'));
    await expect(gone).rejects.toThrow('gone');
    first.end();
    (await next).end();
    await expect(turns.take('d', giveUp.signal)).rejects.toThrow('gone');
    (await turns.take('e', never)).end();
  });
});
