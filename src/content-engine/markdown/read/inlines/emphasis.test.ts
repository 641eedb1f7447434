import { describe, expect, it } from 'vitest';
import { parseDocument, toMarkdown } from '../../index.ts';
import type { ParagraphBlock } from '../../../document/index.ts';

/** The leaves of the only paragraph, each with its marks: `bold italic:text`. */
const leaves = (body: string): string[] => {
  const [paragraph] = parseDocument(body).nodes as [ParagraphBlock];
  return (paragraph.nodes ?? []).flatMap((node) =>
    node.object === 'text'
      ? node.leaves.map(({ text, marks }) => [...marks.map(({ type }) => type), text].join(' '))
      : [node.type],
  );
};

describe('emphasis beside CJK punctuation', () => {
  it.each([
    ['**練習：**試試看', ['bold 練習：', '試試看']],
    ['試試看**「練習」**', ['試試看', 'bold 「練習」']],
    ['試試看**「練習」**試試看', ['試試看', 'bold 「練習」', '試試看']],
    ['*練習：*試試看', ['italic 練習：', '試試看']],
    ['_練習：_試試看', ['italic 練習：', '試試看']],
    ['看_「練習」_試', ['看', 'italic 「練習」', '試']],
    ['~~練習：~~試試看', ['strikethrough 練習：', '試試看']],
    ['看~~（練習）~~試', ['看', 'strikethrough （練習）', '試']],
    ['**_練習：_**試試看', ['bold italic 練習：', '試試看']],
    ['看**「練習」_重點：_說明**完', ['看', 'bold 「練習」', 'bold italic 重點：', 'bold 說明', '完']],
    ['**注意！**abc', ['bold 注意！', 'abc']],
    ['**甲：**乙**丙：**丁', ['bold 甲：', '乙', 'bold 丙：', '丁']],
  ])('%s', (body, expected) => {
    expect(leaves(body)).toEqual(expected);
  });

  it.each([
    ['**a:**b', ['**a:**b']],
    ['a**"b"**c', ['a**"b"**c']],
    ['a_b_c', ['a_b_c']],
    ['看_練習_試', ['看_練習_試']],
    ['_練習:_試試看', ['_練習:_試試看']],
    ['**練習: **試試看', ['**練習: **試試看']],
    ['**練習： **試試看', ['**練習： **試試看']],
  ])('follows CommonMark beside other punctuation and words: %s', (body, expected) => {
    expect(leaves(body)).toEqual(expected);
  });

  it.each(['**練習：**試試看', '看_「練習」_試', '~~練習：~~試試看', '看**「練習」_重點：_說明**完'])(
    'is written as it was read: %s',
    (body) => {
      expect(toMarkdown(parseDocument(body))).toBe(`${body}\n`);
    },
  );
});

describe('emphasis beside CJK and Arabic letters', () => {
  it.each([
    ['**練習:**試試看', ['bold 練習:', '試試看']],
    ['版本**1.0(稳定)**发布', ['版本', 'bold 1.0(稳定)', '发布']],
    ['**“中文”**中文**(甲)**乙', ['bold “中文”', '中文', 'bold (甲)', '乙']],
    ['这是**`code`**的', ['这是', 'bold code code', '的']],
    ['**"강조"**입니다', ['bold "강조"', '입니다']],
    ['**ملاحظة:**كلمة', ['bold ملاحظة:', 'كلمة']],
    ['كلمة**(كلمة)**كلمة', ['كلمة', 'bold (كلمة)', 'كلمة']],
    ['~~「甲」(乙)~~丙', ['strikethrough 「甲」(乙)', '丙']],
  ])('%s', (body, expected) => {
    expect(leaves(body)).toEqual(expected);
    expect(toMarkdown(parseDocument(body))).toBe(`${body}\n`);
  });
});

describe('a backslash at the end of a paragraph', () => {
  it.each([
    ['Text\\\n\nMore', ['Text']],
    ['Text\\', ['Text']],
    ['One\\\ntwo\\\n', ['One\ntwo']],
    ['Text \\\\\n\nMore', ['Text \\']],
    ['Text \\\\\\\n\nMore', ['Text \\']],
    ['`code\\`\n', ['code code\\']],
  ])('is not rendered: %j', (body, expected) => {
    expect(leaves(body)).toEqual(expected);
  });

  it('is rendered if it is escaped', () => {
    const document = parseDocument('a\\\\');
    expect(leaves(toMarkdown(document))).toEqual(['a\\']);
  });

  it('stays in the title of a section', () => {
    expect(leaves('## C:\\\n')).toEqual(['C:\\']);
  });
});
