import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cpuTimeOf } from '../../../test/cpu-time.ts';
import { partOf } from '../../../test/exhaustive.ts';
import { isBudgetExceeded } from '../budget.ts';
import type { AnyNode, BlockNode, JSONDocument } from '../document/index.ts';
import { analyse, editMarkdown, parseBlocks, parseDocument, splitSource, toMarkdown } from './index.ts';

/** No input makes the parser throw, loop, or take more than a small multiple of its time per byte. */

const SIZE = 50_000;
const fill = (text: string, size = SIZE): string => text.repeat(Math.ceil(size / text.length)).slice(0, size);

const ORDINARY = fill(
  'Some **bold** text with a [link](a.md) and `code`, and more words to read.\n\n## A heading\n\n* item one\n* item two\n\n',
);

/** Repeated up to SIZE. */
const REPEATED = [
  '[', ']', '*', '_', '`', '<', '|', '$', '>', '~', '![', '&', '\\', '{%', '%}', '#', '* ', '- ', '1. ', '> ', '>* ', '[a](', '[a](b',
  '[a](<b', '[a](b "', '[](', '![a](', '[a][', '*a_', '**a* ', '*a**b', '_a *b', 'a**b', '~~a~ ', '`a``b', '```\n', '~~~ x\n````\n',
  '<a ', '<a b="', "<a b='\"", '<!--', '<!--\n\n', '<b>', '</b>', '<b>a</b>', '<code class="expression">', '<i class="fa-x">', '<picture>',
  '<a href="x">', '<code class="expression">\n\n', '<https:', '<table>\n\n', '<div>\n', '<div>', '<ul><li>', '<pre>\n\n', '<figure>',
  '<details>\n', '<details><summary>x\n', '{% hint %}\n', '{% endhint %}\n', '{% tabs %}{% tab title="x" %}', '{% embed url="x" %}\n\ntext\n\n',
  '{% code title="x %}\n', '{% if x %}', '{% a b="\n', 'a|b\n', '-|-\n', 'a | b\n-|-|-\n', '$$ ', '$$\n', '$$\n\n', '$$a', '[^', '[^a]: x [^a]\n',
  '## a\n', 'a\n=\n', '***\n', '\0', '\r', 'a\r', '\r\n', '\ud800', ' ', '\t', '   \n', 'word ', 'w\n', 'a  \n', 'a %}\n', '&amp;', '&#x',
  '<br>', '<p><br>', '\\\n', '[a [b](c) ', '![a ![b](c) ', '*\n', '* [ ] a\n', '* a\n+ b\n', '* a\n\n', '* a\n  * b\n    * c\n', '    a\n\n',
  ':::note\n', '::: tip ', ':::\n', '!!! note\n', '!!! note\n    ', '??? tip "x"\n', '> [!NOTE] x\n', '> [!NOTE]\n\n',
]; // prettier-ignore

/** Generated. */
const BUILT: Record<string, string> = {
  'nested brackets': '['.repeat(SIZE / 2) + ']'.repeat(SIZE / 2),
  'nested hints': '{% hint %}\n'.repeat(100_000) + '{% endhint %}\n'.repeat(100_000),
  'nested details': '<details>\n'.repeat(20_000) + '</details>\n'.repeat(20_000),
  'nested quotes': '>'.repeat(100_000),
  'nested lists': '* '.repeat(100_000),
  'deep list': Array.from({ length: 600 }, (_line, depth) => `${' '.repeat(2 * depth)}* x`).join('\n'),
  'nested directives': ':::note\n'.repeat(20_000) + ':::\n'.repeat(20_000),
  'nested admonitions': Array.from({ length: 200 }, (_line, depth) => `${' '.repeat(4 * depth)}!!! note`).join('\n'),
  'blanks in a title': `:::note ${fill('{ ')}\n:::`,
  'lazy lines': `${'> '.repeat(30)}a\n${fill('b\n')}`,
  'nested elements': '<b>'.repeat(SIZE / 8) + '</b>'.repeat(SIZE / 8),
  'growing backticks': Array.from({ length: 600 }, (_run, length) => '`'.repeat(length + 1)).join(' '),
  'tables in items': `${fill('* <table>\n')}\n</table>`,
  'cells in cells': `${fill('<table><tr><td>')}</table>`,
  'many columns': `${fill('|a')}|\n${fill('|-')}|\n${fill('|\n', SIZE / 2)}`,
  'many rows': `| a | b |\n|---|---|\n${fill('| x | y |\n')}`,
  'one footnote, many references': `[^a]: ${fill('x', 20_000)}\n\n${fill('[^a] ')}`,
  'many footnotes':
    Array.from({ length: 9000 }, (_note, at) => `[^${at}]: x\n`).join('') + fill('[^1] [^2] ', 50_000),
  'references': `[a]: b\n\n${fill('[a][a]')}`,
  'end tags behind text': `{% hint %}\n${fill('a {% endhint %}\n')}`,
  'attributes': `{% hint ${fill('a="b" ')} %}x{% endhint %}`,
  'attributes of an element': `<img ${fill('a="b" ')}>`,
  'blanks in a width': `<figure><img src="a.png" width="5${fill(' ')}!"></figure>`,
  'tag without end': `${fill('{% a\n')}%}`,
  'blanks in a delimiter row': `a|b\n-|-${fill(' ')}:`,
  'nested lists in a cell': `<table><tr><td>${'<ul><li>'.repeat(20_000)}`,
  'note in a note': fill('[^a]: <a data-footnote-ref href="#user-content-fn-a">x</a> [^a]\n'),
  'deep note in a deep list': `${'* '.repeat(40)}[^a]\n\n[^a]: ${'* '.repeat(40)}x[^a]\n`,
  'deep table': `${'> '.repeat(40)}<table><tr><td>${'<ul><li>'.repeat(40)}<figure><img src="x"><figcaption><b><mark style="color:red"><a href="x">y`,
  'paragraphs in a pipe cell': `| a |\n|---|\n| ${fill('<p>x</p>')} |`,
  'open lists in a pipe cell': `| a |\n|---|\n| ${fill('<ul><li>')} |`,
  'breaks in a pipe cell': `| a |\n|---|\n| <p>${fill('<br>')}</p>${fill('<br>')} |`,
  'backticks in a pipe cell': `| a |\n|---|\n| <p>${Array.from({ length: 300 }, (_run, length) => '`'.repeat(length + 1)).join(' ')} |`,
  'delimiters beside CJK punctuation': fill('*_~~：'),
  'pictures inside each other': `${fill('<picture><b>', 100_000)}</picture>`,
}; // prettier-ignore

/** Frontmatter and titles, which have their own parser. */
const SOURCES: Record<string, string> = {
  'blank lines of two characters': fill('\r\n'),
  'a key and blanks': `---\na${fill(' ')}\n---\n`,
  'a value and blanks': `---\ntitle: a${fill(' ')}"\n---\n`,
  'many keys': `---\n${fill('title: a\n')}---\n`,
  'nested flow': `---\nvars: ${fill('[')}\n---\n`,
  'nested entries': `---\nvars: ${fill('? ', 60_000)}\n---\n`,
  'nested lines': `---\nvars:\n${Array.from({ length: 300 }, (_line, depth) => `${' '.repeat(depth + 1)}a:\n`).join('')}---\n`,
  'no end': `---\n${fill('a: b\n')}`,
};

/** The nesting depth of the objects and lists of a value. */
function levelsOf(value: unknown): number {
  let deepest = 0;
  const pending: [unknown, number][] = [[value, 1]];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const [one, level] = next;
    if (typeof one !== 'object' || one === null) continue;
    deepest = Math.max(deepest, level);
    for (const member of Object.values(one)) pending.push([member, level + 1]);
  }
  return deepest;
}

/** The keys of all nodes; marks and leaves are not nodes. */
function keysIn(document: JSONDocument): (string | undefined)[] {
  const keys: (string | undefined)[] = [];
  const pending: AnyNode[] = [...document.nodes];
  for (let node = pending.pop(); node; node = pending.pop()) {
    keys.push('key' in node ? node.key : undefined);
    const { nodes = [], fragments = [] } = node as BlockNode;
    for (const child of [...nodes, ...fragments]) pending.push(child);
  }
  return keys;
}

const milliseconds = (text: string, read: (text: string) => unknown = parseDocument): number =>
  cpuTimeOf(() => {
    try {
      read(text);
    } catch (error) {
      if (!isBudgetExceeded(error)) throw error;
    }
  });

describe('hostile input', () => {
  for (let warm = 0; warm < 3; warm++) milliseconds(ORDINARY);
  const perByte = Math.max(...Array.from({ length: 3 }, () => milliseconds(ORDINARY))) / ORDINARY.length;
  const bombs = [...REPEATED.map((text) => [JSON.stringify(text), fill(text)]), ...Object.entries(BUILT)];

  it.each(partOf(bombs, 4, 0))('is parsed in time: %s', (_name, text = '') => {
    const allowed = 20 * perByte * text.length + 50;
    // Repeated once, since the machine may be busy.
    const spent = milliseconds(text);
    expect(spent < allowed ? spent : milliseconds(text)).toBeLessThan(allowed);
  });

  it.each(Object.entries(SOURCES))('is split in time: %s', (_name, text) => {
    expect(milliseconds(text, splitSource)).toBeLessThan(20 * perByte * text.length + 50);
  });

  it('stays below 90 levels, and every node has a unique key', () => {
    for (const [, text = ''] of bombs) {
      const document = parseDocument(text.slice(0, 10_000));
      expect(levelsOf(document)).toBeLessThan(90);
      const keys = keysIn(document);
      expect(keys).not.toContain(undefined);
      expect(new Set(keys).size).toBe(keys.length);
    }
  });

  it('of 1 MB takes no more per byte', () => {
    for (const char of ['[', '*', '`', '<', '$$ ', '> ']) {
      expect(milliseconds(fill(char, 1_000_000))).toBeLessThan(20 * perByte * 1_000_000 + 50);
    }
  }, 120_000);

  it.each([
    '<a data-mention href="https://e.com">',
    '<A data-mention href="https://e.com">',
    '<a href="http://e.com" title="mention"> x ',
  ])('with one end tag for many start tags takes no more than without it: %s', (start) => {
    const starts = fill(start, 400_000);
    expect(milliseconds(`${starts}</a>`)).toBeLessThan(5 * milliseconds(starts) + 100);
  });

  it('with items before many blanks takes no more than without them', () => {
    const edited = parseDocument('* a\n' + '* b\n'.repeat(1000));
    const edit = (blanks: number) =>
      milliseconds(`* a\n${' '.repeat(blanks)}\n`, (text) => editMarkdown(text, edited));
    expect(edit(400_000)).toBeLessThan(5 * edit(0) + 100);
  });

  it('is also written, edited, cut into blocks and split in time', () => {
    const added: BlockNode = { object: 'block', type: 'divider', data: {}, isVoid: true };
    for (const [, bomb = ''] of bombs) {
      const text = bomb.slice(0, 10_000);
      const { document, blocks, sections, plainText, expressions } = analyse(text);
      expect(blocks.at(-1)?.end).toBe(text.length);
      expect(typeof toMarkdown(document)).toBe('string');
      expect(typeof editMarkdown(text, { ...document, nodes: [...document.nodes.slice(1), added] })).toBe(
        'string',
      );
      expect(sections.map(({ text }) => typeof text)).not.toContain('undefined');
      expect([typeof plainText, Array.isArray(expressions)]).toEqual(['string', true]);
      const source = `---\n${text}\n---\n`;
      const { frontmatter, title, body } = splitSource(source);
      expect(frontmatter + title + body).toBe(source);
    }
  }, 120_000);
});

describe('an edit of every line', () => {
  const bodies = {
    paragraphs: fill('some *x* <!-- c --> text\n\n'),
    'one long line': fill('some *x* <!-- c --> text '),
    code: `~~~js x\n${fill('some text\n')}~~~\n`,
    items: fill('-   some *x* text\n'),
    'a table of pipes': `|a|b|\n|--|--|\n${fill('|some text|*x*|\n')}`,
    'a table of HTML': `<table><tr>${fill('<td a>some <b>x</b></td><td></td></tr><tr>')}</tr></table>\n`,
    footnotes: fill('some text[^1]\n\n[^1]: some note\n\n'),
  };

  it.each(Object.entries(bodies))('of %s takes no more than a multiple of reading it', (_name, body) => {
    const json = JSON.stringify(parseDocument(body));
    const edited = JSON.parse(json.replaceAll('some', 'any')) as JSONDocument;
    const reading = Math.max(milliseconds(body), milliseconds(body), milliseconds(ORDINARY));
    const spent = milliseconds(body, (text) => editMarkdown(text, edited));
    expect(spent).toBeLessThan(100 * reading + 500);
  });
});

describe('any text', () => {
  const pieces = [
    ...REPEATED,
    'text',
    '\n',
    '\n\n',
    '{% endtab %}',
    '</details>',
    '</table>',
    '-->',
    '</b>',
    '%}',
    ')',
    '"',
    '  ',
  ];
  const text = fc.array(fc.constantFrom(...pieces), { maxLength: 40 }).map((parts) => parts.join(''));

  it('is read without an error, its blocks cover it, and it can be written', () => {
    fc.assert(
      fc.property(fc.oneof(text, fc.string({ unit: 'binary', maxLength: 200 })), (body) => {
        const again = toMarkdown(parseDocument(body));
        expect(typeof toMarkdown(parseDocument(again))).toBe('string');
        expect(parseBlocks(body).at(-1)?.end ?? 0).toBe(body.length);
      }),
      { numRuns: 1000, seed: 21 },
    );
  });

  it('gives the same document each time', () => {
    fc.assert(
      fc.property(text, (body) => {
        expect(parseDocument(body)).toEqual(parseDocument(body));
      }),
      { numRuns: 300, seed: 22 },
    );
  });
});
