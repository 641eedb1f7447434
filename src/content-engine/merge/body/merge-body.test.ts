import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { followKeys } from '../follow-blocks.ts';
import { parseBlocks, parseDocument, type BlockRange } from '../../markdown/index.ts';
import type { Versions } from '../versions.ts';
import { mergeBody } from './merge-body.ts';
import { withoutBlocks } from './select-blocks.ts';

const merge = (ancestor: string, primary: string, proposed: string) =>
  mergeBody({ ancestor, primary, proposed });

describe('a merged body', () => {
  const cases: readonly (readonly [string, string, string, string, string])[] = [
    [
      'blocks side by side',
      'one two\n\nthree four\n',
      'one TWO\n\nthree four\n',
      'one two\n\nthree FOUR\n',
      'one TWO\n\nthree FOUR\n',
    ],
    ['words of one paragraph', 'a b c d e', 'A b c d e', 'a b c d E', 'A b c d E'],
    [
      'equal changes of both sides',
      'a\n\nb\n\nc\n',
      'a\n\nB\n\nc\n\nd\n',
      'A\n\nB\n\nc\n\nd\n',
      'A\n\nB\n\nc\n\nd\n',
    ],
    [
      'items of a list',
      '- a\n- b\n- c\n',
      '- A 1\n- b\n- c\n',
      '- a\n- b\n- c\n- d\n',
      '- A 1\n- b\n- c\n- d\n',
    ],
    [
      'items below items',
      '- a\n  - x\n  - y\n',
      '- a\n  - X\n  - y\n',
      '- a\n  - x\n  - Y\n',
      '- a\n  - X\n  - Y\n',
    ],
    [
      'lines of code',
      '```js\na\nb\nc\n```\n\nx\n',
      '```js\nA\nb\nc\n```\n\nx\n',
      '```js\na\nb\nC\n```\n\nx\n',
      '```js\nA\nb\nC\n```\n\nx\n',
    ],
    [
      'rows of a table',
      '| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n| 5 | 6 |\n',
      '| a | b |\n|---|---|\n| 1 | X |\n| 3 | 4 |\n| 5 | 6 |\n',
      '| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n| 5 | Y |\n',
      '| a | b |\n|---|---|\n| 1 | X |\n| 3 | 4 |\n| 5 | Y |\n',
    ],
    [
      'neighbouring rows and a head',
      '| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n\nx\n',
      '| a | c |\n|---|---|\n| 1 | X |\n| 3 | 4 |\n\nx\n',
      '| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | Y |\n| 5 | 6 |\n\nx\n',
      '| a | c |\n|---|---|\n| 1 | X |\n| 3 | Y |\n| 5 | 6 |\n\nx\n',
    ],
    [
      'a hint and its content',
      '{% hint style="info" %}\none 1\n\ntwo 2\n{% endhint %}\n',
      '{% hint style="danger" %}\none 1\n\ntwo 2\n{% endhint %}\n',
      '{% hint style="info" %}\none 1\n\ntwo 3\n{% endhint %}\n',
      '{% hint style="danger" %}\none 1\n\ntwo 3\n{% endhint %}\n',
    ],
    ['a block that one side deleted', 'a\n\nb\n\nc\n', 'a\n\nc\n', 'A\n\nb\n\nc\n', 'A\n\nc\n'],
    ['Windows lines', 'a\r\n\r\nb\r\n', 'A\r\n\r\nb\r\n', 'a\r\n\r\nB\r\n', 'A\r\n\r\nB\r\n'],
    ['no line end at the end', 'a', 'a\n\nb', 'A', 'A\n\nb'],
    ['an empty ancestor', '', 'a\n\nb\n', 'a\n\nb\n\nc\n', 'a\n\nb\n\nc\n'],
  ];

  test.each(cases)('combines %s', (_name, ancestor, primary, proposed, expected) => {
    expect(merge(ancestor, primary, proposed)).toMatchObject({ text: expected, conflicts: [] });
    expect(merge(ancestor, proposed, primary)).toMatchObject({ text: expected, conflicts: [] });
  });

  test('has both versions of a block that both sides changed, the primary one first', () => {
    const { text, conflicts } = merge('x\n\na b c\n\ny\n', 'x\n\na P c\n\ny\n', 'x\n\na Q c\n\ny\n');
    expect(text).toBe('x\n\na P c\n\na Q c\n\ny\n');
    const keyOf = (block: string) =>
      parseBlocks(text).find(({ start, end }) => text.slice(start, end).trim() === block)?.key;
    expect(conflicts).toEqual([
      {
        ancestor: 'a b c',
        primary: 'a P c',
        proposed: 'a Q c',
        block: { primary: [keyOf('a P c')], proposed: [keyOf('a Q c')] },
      },
    ]);
  });

  test('has both versions of an item, not of its list', () => {
    const { text, conflicts } = merge('- a\n- b 1\n- c\n', '- a\n- b 2\n- c\n', '- a\n- b 3\n- c\n');
    expect(text).toBe('- a\n- b 2\n- b 3\n- c\n');
    expect(conflicts).toMatchObject([{ ancestor: '- b 1', primary: '- b 2', proposed: '- b 3' }]);
  });

  test('has both versions of a row, not of its table', () => {
    const table = (...rows: string[]) => ['| a | b |', '|---|---|', ...rows].join('\n');
    const [ancestor, p, q] = ['| 1 | 2 |', '| 1 | P |', '| 1 | Q |'];
    const { text, conflicts } = merge(
      table(ancestor, '| 3 | 4 |'),
      table(p, '| 3 | 4 |'),
      table(q, '| 3 | 4 |'),
    );
    expect(text).toBe(table(p, q, '| 3 | 4 |'));
    expect(conflicts).toMatchObject([{ ancestor, primary: p, proposed: q }]);
    expect(withoutBlocks(text, new Set(conflicts[0]?.block.primary))).toBe(table(q, '| 3 | 4 |'));
    const added = merge(table(ancestor), table(ancestor, '| P | |'), table(ancestor, '| Q | |'));
    expect(added.text).toBe(table(ancestor, '| P | |', '| Q | |'));
    expect(added.conflicts).toMatchObject([{ primary: '| P | |', proposed: '| Q | |' }]);
  });

  test('has both versions of a table if both sides changed its header', () => {
    const table = (head: string) => `${head} | b |\n|---|---|\n| 1 | 2 |\n`;
    const { text, conflicts } = merge(table('1'), table('2'), table('3'));
    expect(text).toBe(`${table('2')}\n${table('3')}`);
    expect(conflicts).toHaveLength(1);
  });

  test('never merges lines of code by word', () => {
    const { text } = merge('```\na b c d e\n```\n', '```\nA b c d e\n```\n', '```\na b c d E\n```\n');
    expect(text).toBe('```\nA b c d e\n```\n\n```\na b c d E\n```\n');
    const inline = merge('x `a b c d e` y z', 'x `A b c d e` y z', 'x `a b c d E` y z');
    expect(inline.conflicts).toHaveLength(1);
  });

  test('does not mix words of a rewritten paragraph', () => {
    const { conflicts } = merge(
      'the quick brown fox jumps over the lazy dog',
      'an old man walks under the bridge',
      'the quick brown fox jumps over the lazy cat',
    );
    expect(conflicts).toHaveLength(1);
  });

  test('keeps a block that one side edited and the other deleted', () => {
    const { text, conflicts } = merge('a\n\nb 1\n\nc\n', 'a\n\nc\n', 'a\n\nb 2\n\nc\n');
    expect(text).toBe('a\n\nb 2\n\nc\n');
    expect(conflicts).toMatchObject([{ ancestor: 'b 1', proposed: 'b 2' }]);
    expect(conflicts[0]).not.toHaveProperty('primary');
  });

  test('has both insertions at one position', () => {
    const { text, conflicts } = merge('a\n\nz\n', 'a\n\np\n\nz\n', 'a\n\nq\n\nz\n');
    expect(text).toBe('a\n\np\n\nq\n\nz\n');
    expect(conflicts).toMatchObject([{ primary: 'p', proposed: 'q' }]);
  });

  test('has two versions if one side made it one block with an unclosed fence', () => {
    const { text, conflicts } = merge('a\n\nb\n', '```\na\n\nb\n', 'a\n\nB\n');
    expect(text).toBe('```\na\n\nb\n\na\n\nB\n');
    expect(conflicts).toMatchObject([{ block: { primary: [], proposed: [] } }]);
  });
});

describe('a key', () => {
  const nodesIn = (node: object): { readonly key: string; readonly text: string }[] => {
    const { key, nodes = [], fragments = [] } = node as Record<string, object[]> & { key?: string };
    const inner = [...nodes, ...fragments].flatMap(nodesIn);
    return key === undefined ? inner : [{ key, text: JSON.stringify(node) }, ...inner];
  };
  const keyOf = (body: string, text: string) =>
    nodesIn(parseDocument(body)).findLast((node) => node.text.includes(`"${text}"`))?.key ?? '';

  test('follows its block', () => {
    const before = 'one two\n\nthree four\n\n- five\n- six\n';
    const carry = (text: string, after: string) => {
      const key =
        parseBlocks(before).find(({ start, end }) => before.slice(start, end).startsWith(text))?.key ?? '';
      return followKeys(before, after, [key]).get(key);
    };
    expect(carry('one', `new\n\n${before}`)).toBe(parseBlocks(before)[0]?.key);
    expect(carry('one', before.replace('two', '2'))).toBe(parseBlocks('one 2\n')[0]?.key);
    expect(carry('one', `${before}\none two\n`)).toBe(parseBlocks(before)[0]?.key);
    expect(carry('one', 'three four\n\n- five\n- six\n\none two\n')).toBe(parseBlocks(before)[0]?.key);
    expect(carry('one', 'three four\n\n- five\n- six\n')).toBeUndefined();
    // It was edited and moved, among others that were.
    const text = 'A first paragraph is here.\n\nAnother one stands below.\n\nThe third is the last one.\n';
    const [first] = parseBlocks(text);
    const after = 'The third was the last one.\n\nNew.\n\nA first long paragraph is here.\n';
    const key = first?.key ?? '';
    expect(followKeys(text, after, [key]).get(key)).toBe(parseBlocks(after).at(-1)?.key);
    expect(followKeys(before, before, ['nobody']).get('nobody')).toBeUndefined();
  });

  test('of a node inside a block becomes that of the block once the node is replaced', () => {
    const before = '| a | b |\n| --- | --- |\n| c | d |\n';
    const cell = keyOf(before, 'd');
    const [table] = parseBlocks(before);
    expect(cell).not.toBe(table?.key);
    expect(followKeys(before, `x\n\n${before}`, [cell]).get(cell)).toBe(cell);
    const after = before.replace('d', 'e');
    expect(followKeys(before, after, [cell]).get(cell)).toBe(parseBlocks(after)[0]?.key);
    expect(followKeys(before, 'x\n', [cell]).get(cell)).toBeUndefined();
  });
});

/** A document as blocks of lines of words: every word occurs once, so that it can be tracked. */
interface Block {
  readonly kind: keyof typeof KINDS;
  readonly lines: readonly (readonly string[])[];
}

const text = (lines: Block['lines'], before = '') =>
  lines.map((words) => before + words.join(' ')).join('\n');
const KINDS = {
  paragraph: (lines: Block['lines']) => text(lines),
  heading: (lines: Block['lines']) => `## ${text(lines).replaceAll('\n', ' ')}`,
  list: (lines: Block['lines']) => text(lines, '- '),
  ordered: (lines: Block['lines']) =>
    lines.map((words, index) => `${index + 1}. ${words.join(' ')}`).join('\n'),
  nested: (lines: Block['lines']) =>
    lines.map((words, index) => `${index % 2 === 1 ? '  ' : ''}- ${words.join(' ')}`).join('\n'),
  code: (lines: Block['lines']) => `\`\`\`js\n${text(lines)}\n\`\`\``,
  quote: (lines: Block['lines']) => text(lines, '> '),
  table: (lines: Block['lines']) =>
    `| t | u |\n| --- | --- |\n${lines.map((words) => `| ${words.join(' ')} | |`).join('\n')}`,
  hint: (lines: Block['lines']) =>
    `{% hint style="info" %}\n${text(lines).replaceAll('\n', '\n\n')}\n{% endhint %}`,
  tabs: (lines: Block['lines']) =>
    `{% tabs %}\n${lines.map((words) => `{% tab title="t" %}\n${words.join(' ')}\n{% endtab %}`).join('\n\n')}\n{% endtabs %}`,
  math: (lines: Block['lines']) => `$$\n${text(lines)}\n$$`,
  details: (lines: Block['lines']) =>
    `<details>\n\n<summary>More</summary>\n\n${text(lines).replaceAll('\n', '\n\n')}\n\n</details>`,
  comment: (lines: Block['lines']) => `<!-- ${text(lines)} -->`,
};
const render = (blocks: readonly Block[]) =>
  blocks.map(({ kind, lines }) => `${KINDS[kind](lines)}\n`).join('\n');

interface Edit {
  readonly does: 'word' | 'add words' | 'add line' | 'drop line' | 'drop' | 'insert' | 'replace' | 'move';
  readonly block: number;
  readonly line: number;
  readonly word: number;
  readonly kind: keyof typeof KINDS;
}

const at = fc.nat({ max: 12 });
const kind = fc.constantFrom(...(Object.keys(KINDS) as (keyof typeof KINDS)[]));
const edit: fc.Arbitrary<Edit> = fc.record({
  does: fc.constantFrom(
    'word',
    'word',
    'word',
    'add words',
    'add line',
    'drop line',
    'drop',
    'insert',
    'replace',
    'move',
  ),
  block: at,
  line: at,
  word: at,
  kind,
});
const edits = fc.array(edit, { minLength: 1, maxLength: 5 });
const shape = fc.array(
  fc.tuple(kind, fc.array(fc.integer({ min: 1, max: 8 }), { minLength: 1, maxLength: 5 })),
  {
    maxLength: 7,
  },
);

const documentOf = (shape: readonly (readonly [keyof typeof KINDS, readonly number[]])[]): Block[] =>
  shape.map(([kind, lines], b) => ({
    kind,
    lines: lines.map((length, l) => Array.from({ length }, (_, w) => `a${b}x${l}x${w}`)),
  }));

function editDocument(blocks: readonly Block[], edits: readonly Edit[], name: string): Block[] {
  const next = [...blocks];
  for (const [index, { does, kind, ...where }] of edits.entries()) {
    const at = next.length === 0 ? 0 : where.block % next.length;
    const block = next[at];
    const words = (count: number) => Array.from({ length: count }, (_, w) => `${name}${index}x${w}`);
    if (does === 'insert' || block === undefined) {
      next.splice(where.block % (next.length + 1), 0, { kind, lines: [words(3)] });
    } else if (does === 'drop') next.splice(at, 1);
    else if (does === 'replace') next[at] = { kind, lines: [words(4)] };
    else if (does === 'move') {
      next.splice(at, 1);
      next.splice(where.line % (next.length + 1), 0, block);
    } else next[at] = { ...block, lines: editLines(block.lines, does, where, words) };
  }
  return next;
}

function editLines(
  lines: Block['lines'],
  does: Edit['does'],
  where: { readonly line: number; readonly word: number },
  words: (count: number) => string[],
): Block['lines'] {
  const at = where.line % lines.length;
  const line = lines[at] ?? [];
  if (does === 'add line') return lines.toSpliced(at, 0, words(2));
  if (does === 'drop line') return lines.length > 1 ? lines.toSpliced(at, 1) : lines;
  if (does === 'add words') return lines.with(at, [...line, ...words(2)]);
  return lines.with(at, line.with(where.word % line.length, words(1)[0] ?? ''));
}

const wordsIn = (text: string): Set<string> => new Set(text.match(/[apqs]\d+x[\dx]*/g));
type Merged = ReturnType<typeof mergeBody>;

/** Words of all versions of all conflicts. */
const conflictingIn = ({ conflicts }: Merged): Set<string> =>
  wordsIn(
    conflicts
      .flatMap(({ ancestor = '', primary = '', proposed = '' }) => [ancestor, primary, proposed])
      .join(' '),
  );

/** Generated triples, here and of whole contents together (CONTRIBUTING.md). */
const TRIPLES = Number(process.env['MERGE_TRIPLES'] ?? 5000);
const runs = { numRuns: TRIPLES * 0.6 };
const fewRuns = { numRuns: TRIPLES * 0.1 };
const LONG = 3_600_000;

describe('the merge of any three bodies', () => {
  const triple = fc
    .tuple(shape, edits, edits, fc.array(edit, { maxLength: 1 }))
    .map(([shape, primaryEdits, proposedEdits, ofBoth]) => {
      const ancestor = documentOf(shape);
      const both = editDocument(ancestor, ofBoth, 's');
      return {
        ancestor: render(ancestor),
        primary: render(editDocument(both, primaryEdits, 'p')),
        proposed: render(editDocument(both, proposedEdits, 'q')),
      };
    });

  test('loses and restores nothing, and is the same in either order', { timeout: LONG }, () => {
    fc.assert(
      fc.property(triple, (bodies) => {
        const { ancestor, primary, proposed } = bodies;
        const merged = mergeBody(bodies);
        const other = mergeBody({ ancestor, primary: proposed, proposed: primary });
        expect(other.conflicts).toHaveLength(merged.conflicts.length);
        if (merged.conflicts.length === 0) expect(other.text).toBe(merged.text);
        expect({
          lost: lostWords(bodies, merged),
          ...comingBack(bodies, merged),
        }).toEqual({ lost: [], back: [], twice: [] });
      }),
      runs,
    );
  });

  test('has, when resolved, every block that both sides have', { timeout: LONG }, () => {
    fc.assert(
      fc.property(triple, (bodies) => {
        const merged = mergeBody(bodies);
        if (merged.conflicts.some(({ block }) => block.primary.length + block.proposed.length === 0)) return;
        const remaining = new Set(blocksIn(bodies.primary));
        const both = wordsIn(
          blocksIn(bodies.proposed)
            .filter((block) => remaining.has(block))
            .join(' '),
        );
        for (const other of ['primary', 'proposed'] as const) {
          const keys = new Set(merged.conflicts.flatMap(({ block }) => block[other]));
          const found = wordsIn(withoutBlocks(merged.text, keys));
          expect([...both].filter((word) => !found.has(word))).toEqual([]);
        }
      }),
      fewRuns,
    );
  });

  test('has no conflict if the sides edit different blocks', { timeout: LONG }, () => {
    const words = fc.array(fc.tuple(at, at, at), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(shape, words, words, (shape, primaryEdits, proposedEdits) => {
        const ancestor = documentOf(shape);
        if (ancestor.length < 2) return;
        const editsOf = (places: typeof primaryEdits, parity: number) =>
          places.map(([block, line, word]): Edit => {
            const own = (block % Math.floor(ancestor.length / 2)) * 2 + parity;
            return { does: 'word', kind: 'paragraph', block: own, line, word };
          });
        const [p, q] = [editsOf(primaryEdits, 0), editsOf(proposedEdits, 1)];
        const primary = editDocument(ancestor, p, 'p');
        const expected = render(editDocument(primary, q, 'q'));
        const merged = merge(render(ancestor), render(primary), render(editDocument(ancestor, q, 'q')));
        expect(merged).toMatchObject({ text: expected, conflicts: [] });
      }),
      fewRuns,
    );
  });

  test('loses no word, for any text', { timeout: LONG }, () => {
    const piece = fc.constantFrom(...SYNTAX.split(' '), 'WORD', ' ', '\n', '\n\n', '\r\n', '    ', '\t');
    const body = (name: string) =>
      fc
        .array(piece, { maxLength: 14 })
        .map((pieces) => pieces.map((piece, at) => piece.replace('WORD', `${name}${at}x`)).join(''));
    const near = fc.tuple(body('a'), body('b'), body('p'), body('q')).map(([one, two, p, q]) => ({
      ancestor: `${one}\n\n${two}`,
      primary: `${p}\n\n${two}`,
      proposed: `${one}\n\n${q}`,
    }));
    fc.assert(
      fc.property(near, (bodies) => {
        const merged = mergeBody(bodies);
        expect(lostWords(bodies, merged)).toEqual([]);
        expect(mergeBody(bodies)).toEqual(merged);
      }),
      fewRuns,
    );
  });

  test('can be followed by keys', { timeout: LONG }, () => {
    fc.assert(
      fc.property(triple, ({ ancestor, primary }) => {
        const [old, now] = [keysIn(ancestor), keysIn(primary)];
        expect(followKeys(ancestor, ancestor, old.keys())).toEqual(
          new Map([...old.keys()].map((key) => [key, key])),
        );
        const remaining = new Set(blocksIn(primary));
        const stayed = new Set(blocksIn(ancestor).filter((block) => remaining.has(block)));
        const mismatched = [...followKeys(ancestor, primary, old.keys())].filter(([before, after]) => {
          if (after !== undefined && !now.has(after)) return true;
          const text = old.get(before) ?? '';
          return stayed.has(text) && now.get(after ?? '') !== text;
        });
        expect(mismatched).toEqual([]);
      }),
      fewRuns,
    );
  });
});

/** Syntax that affects the text around it. */
const SYNTAX =
  'a b ** _ ` ``` ~~~ [ ] ](x) ![ < > <b> </b> <!-- --> # ## - + 1. > | --- *** === $$ $ {% %} {%hint%} {%endhint%} </details> <details> <table> [^1]: [x]: \\ é 漢字 🎉';

const blocksIn = (body: string): string[] =>
  parseBlocks(body).map(({ start, end }) => body.slice(start, end).trimEnd());

function keysIn(body: string): Map<string, string> {
  const keys = new Map<string, string>();
  const collect = (ranges: readonly BlockRange[]) => {
    for (const { key, start, end, children } of ranges) {
      keys.set(key, body.slice(start, end).trim());
      collect(children);
    }
  };
  collect(parseBlocks(body));
  return keys;
}

/** Words that a side wrote, and are neither in the result nor in a conflict. */
function lostWords({ ancestor, primary, proposed }: Versions<string>, merged: Merged): string[] {
  const [old, found, conflicting] = [wordsIn(ancestor), wordsIn(merged.text), conflictingIn(merged)];
  const written = [...wordsIn(primary), ...wordsIn(proposed)].filter((word) => !old.has(word));
  return written.filter((word) => !found.has(word) && !conflicting.has(word));
}

/** Words of blocks that a side did not touch: those that the other deleted, and those that are duplicated. */
function comingBack({ ancestor, primary, proposed }: Versions<string>, merged: Merged) {
  const conflicting = conflictingIn(merged);
  const words = (merged.text.match(/a\d+x[\dx]*/g) ?? []).filter((word) => !conflicting.has(word));
  const [found, blocks] = [new Set(words), blocksIn(ancestor)];
  const wordsOf = (side: string) => {
    const remaining = new Set(blocksIn(side));
    return wordsIn(blocks.filter((block) => remaining.has(block)).join(' '));
  };
  const [primaryEdits, proposedEdits] = [wordsOf(primary), wordsOf(proposed)];
  const goneFrom = (side: string, words: ReadonlySet<string>) => {
    const sideWords = wordsIn(side);
    return [...words].filter((word) => !sideWords.has(word) && found.has(word));
  };
  return {
    back: [...goneFrom(primary, proposedEdits), ...goneFrom(proposed, primaryEdits)],
    twice: words.filter(
      (word, index) => (primaryEdits.has(word) || proposedEdits.has(word)) && words.indexOf(word) !== index,
    ),
  };
}
