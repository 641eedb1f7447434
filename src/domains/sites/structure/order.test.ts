import fc from 'fast-check';
import { expect, test } from 'vitest';
import { positionFor, positionsAtEnd, positionsInsteadOf, type Placed } from './order.ts';

const sorted = (items: readonly Placed[]) => items.toSorted((a, b) => (a.position < b.position ? -1 : 1));
const level = (count: number): Placed[] =>
  positionsAtEnd([], count).map((position, index) => ({ id: `item${index}`, position }));

test('any sequence of moves gives the order that the pointers ask for', () => {
  const move = fc.record({
    moving: fc.nat(),
    next: fc.nat(),
    side: fc.constantFrom('before' as const, 'after' as const, 'last' as const),
  });
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 8 }), fc.array(move, { maxLength: 30 }), (count, moves) => {
      let items = level(count);
      for (const { moving, next, side } of moves) {
        const moved = items[moving % count] as Placed;
        const others = items.filter((item) => item !== moved);
        const pointed = others[next % others.length] as Placed;
        const pointers = side === 'last' ? {} : { [side]: pointed.id };
        const position = positionFor(items, pointers, moved.id);
        items = sorted([...others, { id: moved.id, position }]);
        const at = side === 'last' ? others.length : others.indexOf(pointed) + (side === 'after' ? 1 : 0);
        expect(items.map(({ id }) => id)).toEqual(others.map(({ id }) => id).toSpliced(at, 0, moved.id));
        expect(new Set(items.map((item) => item.position)).size).toBe(count);
      }
    }),
  );
});

test('items that replace another one are between its neighbours', () => {
  const items = level(3);
  const [first, , last] = items.map(({ position }) => position);
  const positions = positionsInsteadOf(items, 'item1', 4);
  expect([first, ...positions, last]).toEqual([first, ...positions, last].toSorted());
  expect(new Set(positions).size).toBe(4);
});

test('both pointers must be adjacent; hidden items between them do not count', () => {
  const [one, two, three] = level(3) as [Placed, Placed, Placed];
  const pointers = { after: one.id, before: three.id };
  expect(() => positionFor([one, two, three], pointers, 'new')).toThrow(/adjacent/);
  const position = positionFor([one, { ...two, isHidden: true }, three], pointers, 'new');
  expect([one.position, position, three.position].toSorted()[1]).toBe(position);
});
