import { describe, expect, test } from 'vitest';
import { turnRatio } from '../../../../test/longest-turn.ts';
import { runToEnd } from '../../../content-engine/run-to-end.ts';
import { inSlices } from '../../../platform/threads/slices.ts';
import { replaceWikiLinks } from './wiki-links.ts';

const pages = new Map([['Setup', 'docs/Set up (1).md']]);
const find = (name: string) => pages.get(name);
const replaced = (text: string) => runToEnd(replaceWikiLinks(text, find));

const SETUP = 'http://archive.invalid/docs/Set%20up%20%281%29.md';

test.each([
  ['[[Setup]]', `[Setup](${SETUP})`],
  ['[[Text|Setup#part]]', `[Text](${SETUP}#part)`],
  ['[[#part]]', '[#part](#part)'],
  ['[[a.png|alt=A]]', '![A](http://archive.invalid/a.png)'],
  ['[[Site|https://a.example]]', '[Site](https://a.example)'],
  ['[[Unknown]]', 'Unknown'],
  ['`[[Setup]]` [[Unknown]]', '`[[Setup]]` Unknown'],
  ['[[not\nclosed]]', '[[not\nclosed]]'],
])('%j', (text, markdown) => expect(replaced(text)).toBe(markdown));

test('blocks of code are left as they are', () => {
  const code = '```md\n[[Setup]]\n~~~\n[[Setup]]\n``` [[Setup]]\n';
  expect(replaced(`[[Unknown]]\r\n${code}[[Unknown]]`)).toBe(`Unknown\r\n${code}Unknown`);
});

test('a link after the first portion of a long page', () => {
  const text = 'a line\n'.repeat(50_000);
  expect(replaced(`[[Unknown]]\n${text}[[Unknown]]`)).toBe(`Unknown\n${text}Unknown`);
});

describe('a page of 4 MB takes many short turns', () => {
  const MB = 1024 * 1024;
  /** 200 ms in ticks of the clock. */
  const GENEROUS = 20;
  const small = () => inSlices(replaceWikiLinks('[[Setup]]\n'.repeat(1000), find));
  test.each([
    ['of links in one line', '[[Setup]]'],
    ['of unknown links', '[[a]] '],
    ['of line ends', '\n'],
    ['of fences', '```\n'],
    ['of code', '`'],
    ['of brackets', '[['],
  ])('%s', async (_, unit) => {
    const text = `[[Setup]]${unit.repeat((4 * MB) / unit.length)}`;
    const large = () => inSlices(replaceWikiLinks(text, find));
    expect(await turnRatio(large, small, GENEROUS)).toBeLessThan(GENEROUS);
  });
});
