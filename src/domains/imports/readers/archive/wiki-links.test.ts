import { expect, test } from 'vitest';
import { replaceWikiLinks } from './wiki-links.ts';

const pages = new Map([['Setup', 'docs/Set up (1).md']]);
const find = (name: string) => pages.get(name);
const replaced = (text: string) => replaceWikiLinks(text, find);

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

// They would take minutes if each of them were compared with all that follow.
test.each([
  ['links in one line', '[[Setup]]'],
  ['unknown links', '[[a]] '],
  ['line ends', '\n'],
  ['fences', '```\n'],
  ['code', '`'],
  ['brackets', '[['],
])('a page of 4 MB of %s is read to its end', (_what, unit) => {
  const text = unit.repeat((4 * 1024 * 1024) / unit.length);
  expect(replaced(`[[Setup]]${text}`).startsWith(`[Setup](${SETUP})`)).toBe(true);
});
