import { describe, expect, test } from 'vitest';
import { mergeBodies } from './merge-body.ts';
import { withoutBlocks } from './without-blocks.ts';

const body = (...blocks: readonly string[]) => `${blocks.join('\n\n')}\n`;

/** What is left when every conflict is resolved alike, as `resolveConflict` does it. */
function resolved(ancestor: string, primary: string, proposed: string) {
  const { text, conflicts } = mergeBodies({ ancestor, primary, proposed });
  const keysOf = (side: 'primary' | 'proposed') => new Set(conflicts.flatMap(({ block }) => block[side]));
  return {
    primary: withoutBlocks(text, keysOf('proposed')),
    proposed: withoutBlocks(text, keysOf('primary')),
    conflicts: conflicts.length,
  };
}

describe('a resolved body', () => {
  test('has no paragraph in the last item of the list before it', () => {
    const of = (item: string) => body(`- first\n- ${item}`, 'Next paragraph.');
    expect(resolved(of('second item'), of('second of the space'), of('second proposed'))).toEqual({
      primary: of('second of the space'),
      proposed: of('second proposed'),
      conflicts: 1,
    });
    const without = body('- first', 'Next paragraph.');
    expect(resolved(of('second item'), without, of('second proposed'))).toEqual({
      primary: without,
      proposed: of('second proposed'),
      conflicts: 1,
    });
  });

  test('has no empty list', () => {
    const of = (item: string) => body('above', `- ${item}`, 'below');
    expect(resolved(of('one two'), body('above', 'below'), of('one three')).primary).toBe(
      body('above', 'below'),
    );
  });
});
