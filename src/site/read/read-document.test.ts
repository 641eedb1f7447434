import { expect, test } from 'vitest';
import { parseDocument } from '../../content-engine/markdown/index.ts';
import { refsIn } from './read-document.ts';

test('references are searched in steps, also where there are none', () => {
  const steps = [...refsIn(parseDocument(`${'# a\n\n'.repeat(5000)}[a](https://a.example/)`))];
  expect(steps.filter((ref) => ref !== undefined)).toEqual([{ kind: 'url', url: 'https://a.example/' }]);
  expect(steps.length).toBeGreaterThan(20);
});
