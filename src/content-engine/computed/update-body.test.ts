import { describe, expect, test } from 'vitest';
import type { GeneratedPart } from '../tree/index.ts';
import { bodyOf, updateBody, withRemaining } from './update-body.ts';

const part = (name: string, path = name): GeneratedPart => [
  `operation ${name}`,
  `## ${name}\n\n{% openapi-operation spec="s" path="/${path}" method="get" %}\n{% endopenapi-operation %}`,
];
const [a, b, c] = [part('a'), part('b'), part('c')];

describe('a body that a user has edited', () => {
  const body = `Before.\n\n${bodyOf([a, b])}\nAfter.\n`;

  test('gets new parts after the part before them, and loses those that have moved away', () => {
    expect(updateBody(body, [a, b], [a, c, b])).toBe(`Before.\n\n${bodyOf([a, c, b])}\nAfter.\n`);
    expect(updateBody(body, [a, b], [b])).toBe(`Before.\n\n${bodyOf([b])}\nAfter.\n`);
    expect(updateBody('Words', [], [a])).toBe(`Words\n\n${bodyOf([a])}`);
    expect(updateBody('', [], [a])).toBe(bodyOf([a]));
  });

  test('is respelled where a part differs, also around text inside of it', () => {
    expect(updateBody(body, [a, b], [part('a', 'v2'), b])).toBe(body.replace('"/a"', '"/v2"'));
    const within = body
      .replace('## a\n\n', '## My a\n\nText.\n\n')
      .replace(' %}\n{% end', ' %}\nLink\n{% end');
    expect(updateBody(within, [a, b], [part('a', 'v2'), b])).toBe(within.replace('"/a"', '"/v2"'));
  });

  test('does not get back what was deleted from it', () => {
    expect(updateBody('Words.\n', [a, b], [part('a', 'v2'), b])).toBe('Words.\n');
    expect(updateBody(bodyOf([b]), [a, b], [a, c, b])).toBe(bodyOf([b, c]));
  });

  test('keeps text that only resembles a part', () => {
    const quoted = `> ${a[1]} and more`;
    expect(updateBody(quoted, [a], [])).toBe(quoted);
  });
});

test('parts that stay follow the part that they followed', () => {
  expect(withRemaining([a, b, c], [c, a], () => true)).toEqual([c, a, b]);
  expect(withRemaining([a, b], [b], () => true)).toEqual([a, b]);
  expect(withRemaining([a, b], [b], () => false)).toEqual([b]);
});
