import { expect, test } from 'vitest';
import { notConvertible } from './page-failure.ts';

test('advice is given once', () => {
  const advised = { failure: 'The page is long. Split it into several pages.', isTooLarge: true };
  expect(notConvertible('The page', advised).advice).toBeUndefined();
  const other = { failure: 'The page exceeds 2 MB.', isTooLarge: true };
  expect(notConvertible('The page', other).advice).toBe('Split it into smaller pages.');
});
