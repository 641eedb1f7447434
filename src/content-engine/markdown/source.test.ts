import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitSource, updateFrontmatter, updateTitle, type Source } from './index.ts';

const joined = ({ frontmatter, title, body }: Source) => frontmatter + title + body;

const FILE =
  '---\ndescription: >-\n  A page\n  of words\nx-own: [1, 2]\nhidden: true\n---\n\n# The title\n\nBody\n';

const anyText = fc
  .array(
    fc.constantFrom(
      '---',
      '---\n',
      '\n',
      '\r\n',
      '\r',
      '# T',
      '#',
      'a: b',
      'a: b: c',
      '\t',
      ' ',
      '\uFEFF',
      'text',
      '"',
      '&a',
      '*a',
      '{',
      '...',
    ),
    { maxLength: 20 },
  )
  .map((parts) => parts.join(''));

describe('splitSource', () => {
  it('returns the three parts and the known fields', () => {
    const source = splitSource(FILE);
    expect(source.title).toBe('\n# The title\n');
    expect(source.body).toBe('\nBody\n');
    expect(source.titleText).toBe('The title');
    expect(source.fields).toEqual({ description: 'A page of words', hidden: true });
    expect(source.warnings).toEqual([]);
  });

  it('reads every known field', () => {
    const text =
      '---\ntitle: T\ndescription: "a: b"\nicon: gear\nhidden: false\ncover: .gitbook/assets/a b.png\ncoverY: -12.5\n' +
      'coverHeight: 200\nnoIndex: true\nnoRobotsIndex: true\nlayout:\n  width: wide\n  title:\n    visible: false\n' +
      'tags:\n- one\n- tag: two\nvars:\n  x: 1\nif: visitor.claims.unsigned.a === true\nmetadata:\n  a: b\n---\n';
    expect(splitSource(text).fields).toEqual({
      title: 'T',
      description: 'a: b',
      icon: 'gear',
      hidden: false,
      cover: '.gitbook/assets/a b.png',
      coverY: -12.5,
      coverHeight: 200,
      noIndex: true,
      noRobotsIndex: true,
      layout: { width: 'wide', title: { visible: false } },
      tags: ['one', { tag: 'two' }],
      vars: { x: 1 },
      if: 'visitor.claims.unsigned.a === true',
      metadata: { a: 'b' },
    });
  });

  it('finds the title after comments, which stay with it', () => {
    const text =
      '---\nicon: x\n---\n<!-- A licence.\n\nOf two lines. -->\n\n<!-- lint -->\n# Real *title*\n\nText.\n';
    const source = splitSource(text);
    expect(source).toMatchObject({ titleText: 'Real title', body: '\nText.\n' });
    expect(joined(source)).toBe(text);
    expect(updateTitle(text, 'Other')).toBe(text.replace('Real *title*', 'Other'));
    expect(splitSource('<!-- a --> # No title\n').titleText).toBeUndefined();
    expect(splitSource('<!-- a -->\n\nText.\n# Later\n')).toMatchObject({ title: '', titleText: undefined });
    expect(splitSource('<!-- never closed\n# T\n').titleText).toBeUndefined();
  });

  it('joins to the same bytes, for any text', () => {
    fc.assert(
      fc.property(fc.oneof(anyText, fc.string({ unit: 'binary' })), (text) => {
        expect(joined(splitSource(text))).toBe(text);
      }),
      { numRuns: 1000, seed: 1 },
    );
    for (const text of [
      '',
      '\uFEFF',
      '\uFEFF---\r\na: b\r\n---\r\n# T\r\n',
      '---\n---',
      '---\na: b',
      '# T',
      '#T',
      '\r# T\r',
    ]) {
      expect(joined(splitSource(text))).toBe(text);
    }
  });

  it.each([
    ['description: Read this: it matters', 'Read this: it matters'],
    ['description: "open', '"open'],
    ['description: @home', '@home'],
  ])('keeps invalid YAML, reports it, and takes the intended text: %s', (line, description) => {
    const source = splitSource(`---\n${line}\nhidden: true\n---\n`);
    expect(source.fields).toEqual({ description, hidden: true });
    expect(source.warnings).toMatchObject([{ kind: 'frontmatter' }]);
  });

  it('reports duplicate keys, wrong types and alias bombs', () => {
    const bomb = `vars:\n  a: &a [x, x]\n${'bcdefghijklmn'.replace(/./g, (name) => `  ${name}: &${name} [*${String.fromCharCode(name.charCodeAt(0) - 1)}, *${String.fromCharCode(name.charCodeAt(0) - 1)}]\n`)}`;
    expect(splitSource('---\nicon: a\nicon: b\n---\n')).toMatchObject({
      fields: { icon: 'a' },
      warnings: [{}],
    });
    expect(splitSource('---\nhidden: maybe\ncoverY: high\n---\n')).toMatchObject({
      fields: {},
      warnings: [{}, {}],
    });
    expect(splitSource(`---\n${bomb}---\n`).warnings).toHaveLength(1);
    expect(splitSource(`---\nvars: ${'['.repeat(50_000)}\n---\n`).warnings).toHaveLength(1);
  });
});

describe('updateFrontmatter', () => {
  it('rewrites the lines of the changed field and nothing else', () => {
    expect(updateFrontmatter(FILE, { description: 'Other: words' })).toBe(
      FILE.replace('description: >-\n  A page\n  of words\n', 'description: "Other: words"\n'),
    );
  });

  it('adds and removes fields', () => {
    expect(updateFrontmatter(FILE, { icon: 'gear', hidden: undefined })).toBe(
      FILE.replace('hidden: true\n', 'icon: gear\n'),
    );
    expect(updateFrontmatter('Body', { hidden: true })).toBe('---\nhidden: true\n---\n\nBody');
    expect(updateFrontmatter('---\nhidden: true\n---\nBody', { hidden: undefined })).toBe('Body');
  });

  it('keeps line endings, comments and unreadable lines', () => {
    const text = '---\r\n# note\r\ndescription: a: b\r\nicon: x\r\n---\r\n\r\nBody\r\n';
    expect(updateFrontmatter(text, { icon: 'y' })).toBe(text.replace('icon: x', 'icon: y'));
  });

  it('writes values that are read back as set', () => {
    fc.assert(
      fc.property(anyText, fc.string(), fc.boolean(), (text, description, hidden) => {
        const fields = splitSource(updateFrontmatter(text, { description, hidden })).fields;
        expect(fields).toMatchObject(description === '' ? { hidden } : { description, hidden });
      }),
      { numRuns: 500, seed: 2 },
    );
  });
});

describe('updateTitle', () => {
  it('changes the words of the title line', () => {
    expect(updateTitle(FILE, 'Other *one*')).toBe(FILE.replace('# The title', '# Other \\*one\\*'));
    expect(updateTitle('# A <a href="#x" id="x"></a>\r\nB', 'C')).toBe('# C <a href="#x" id="x"></a>\r\nB');
    expect(updateTitle('Body', 'T')).toBe('# T\n\nBody');
    expect(updateTitle('# T\n\nBody', undefined)).toBe('\nBody');
  });

  it('writes a title that is read back as set', () => {
    fc.assert(
      fc.property(anyText, fc.string({ minLength: 1 }), (text, raw) => {
        const title = raw.replace(/[\r\n]/g, '').trim() || 'T';
        expect(splitSource(updateTitle(text, title)).titleText).toBe(title);
      }),
      { numRuns: 500, seed: 3 },
    );
  });
});
