import { expect } from 'vitest';
import type { Answer } from './app.ts';

/** An error as every client may rely on it: the status twice, a sentence, JSON, and not cacheable. */
export function expectError(answer: Answer, status: number, message?: RegExp): void {
  expect(answer.status, answer.text).toBe(status);
  expect(answer.body, answer.text).toEqual({
    error: {
      code: status,
      message: message ? expect.stringMatching(message) : expect.stringMatching(/\S/),
      ...(answer.body?.error?.details ? { details: expect.any(Array) } : {}),
    },
  });
  for (const detail of answer.body.error.details ?? []) {
    expect(detail).toEqual({
      path: expect.stringMatching(/^(path|query|body)/),
      rule: expect.stringMatching(/\S/),
    });
  }
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(answer.headers['cache-control']).toBe('no-store');
}

/** The details of a 400, as `path: rule`. */
export const detailsOf = (answer: Answer): string[] =>
  (answer.body?.error?.details ?? []).map(
    ({ path, rule }: { path: string; rule: string }) => `${path}: ${rule}`,
  );
