import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cpuTimeOf } from '../../../test/cpu-time.ts';
import { highlight } from './index.ts';

const LANGUAGES =
  'ts c java go rust swift php python ruby bash sql json yaml ini html css graphql http diff docker markdown lua perl r ' +
  'haskell unknown';

const textOf = (lines: readonly string[], syntax: string): string =>
  highlight(lines, syntax)
    .map((line) => line.map((token) => token.text).join(''))
    .join('\n');

/** Tokens of one kind. */
const tokensOf = (kind: string | undefined, source: string, syntax: string): string[] =>
  highlight(source.split('\n'), syntax).flatMap((line) =>
    line.filter((token) => token.kind === kind).map((token) => token.text),
  );

describe('highlighted code', () => {
  it('has the text of its source', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: fc.constantFrom(...'ab1"\'`/*#-<>{}$ :\\()[]%') })),
        fc.constantFrom(...LANGUAGES.split(' ')),
        (lines, syntax) => {
          expect(textOf(lines, syntax)).toBe(lines.join('\n'));
        },
      ),
    );
  });

  it('has tokens by its language', () => {
    expect(highlight(['const a = f("b"); // c'], 'ts')[0]).toEqual([
      { kind: 'keyword', text: 'const' },
      { kind: undefined, text: ' a = ' },
      { kind: 'name', text: 'f' },
      { kind: undefined, text: '(' },
      { kind: 'string', text: '"b"' },
      { kind: undefined, text: '); ' },
      { kind: 'comment', text: '// c' },
    ]);
    expect(highlight(['/* a', 'b */ 1'], 'js').map((line) => line[0]?.kind)).toEqual(['comment', 'comment']);
  });

  it.each([
    ['keyword', 'SELECT a FROM b', 'sql', ['SELECT', 'FROM']],
    ['name', '{"a": "b"}', 'json', ['"a"']],
    ['string', 'if (x) return "y"', 'java', ['"y"']],
    ['keyword', '# Title\n\n- item', 'md', ['# Title', '-']],
    ['comment', '--[[ a\nb ]] x', 'lua', ['--[[ a', 'b ]]']],
    ['name', 'my $x = 1;', 'perl', ['$x']],
    ['number', '0xff + 1.5e3', 'rust', ['0xff', '1.5e3']],
    [undefined, 'anything at all', 'unknown', ['anything at all']],
    [undefined, 'x', 'constructor', ['x']],
  ])('%s in %s (%s)', (kind, source, syntax, tokens) => {
    expect(tokensOf(kind, source, syntax)).toEqual(tokens);
  });

  it.each(LANGUAGES.split(' '))(
    'of %s takes time proportional to its length, whatever the text',
    (syntax) => {
      const SIZE = 20_000;
      const fill = (text: string): string[] =>
        text
          .repeat(Math.ceil(SIZE / text.length))
          .slice(0, SIZE)
          .split('\n');
      const timeOf = (lines: readonly string[]): number => cpuTimeOf(() => highlight(lines, syntax));
      const pieces = '/* <!-- ${ "\\ <a "a a( """ 0. 1_ ]( {% --[[ `a --a';
      const hostile = [...'"\'`/\\([{<>a \t\n#@-=0_.$*:%~|&!', ...pieces.split(' '), 'a ', '<a ', '- '];
      const ordinary = fill('const a = call("text", 12); // words\nkey: value\n<p class="x">text</p>\n');
      const usual = Math.max(1, timeOf(ordinary), timeOf(ordinary));
      const total = hostile.reduce((sum, text) => sum + timeOf(fill(text)), 0);
      expect(total / hostile.length / usual).toBeLessThan(40);
    },
  );
});
