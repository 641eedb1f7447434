import { describe, expect, test } from 'vitest';
import { parseDocument } from '../../markdown/index.ts';
import { summaryOf } from './summary.ts';

const summary = (markdown: string) => summaryOf(parseDocument(markdown));

describe('the summary of a page without a description', () => {
  test('is its first paragraph, without markup', () => {
    expect(summary('## Title\n\n* Some **bold** [link](x)\n\nMore.')).toBe('Some bold link');
  });

  test('ends at a word, or within a text without spaces', () => {
    expect(summary('word '.repeat(60))).toBe(`${'word '.repeat(31).trim()}…`);
    expect(summary('長'.repeat(300))).toBe(`${'長'.repeat(159)}…`);
  });

  test('is absent where there is no text', () => {
    expect(summary('```js\ncode\n```')).toBeUndefined();
  });
});
