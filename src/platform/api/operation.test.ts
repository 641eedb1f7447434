import Type from 'typebox';
import { expect, test } from 'vitest';
import type { Rule } from '../../domains/access/index.ts';
import { operation, signedIn, type Handling } from './operation.ts';
import type { Scope } from './scope.ts';

type Fits<T, U> = [T] extends [U] ? true : false;
type Any = Handling<unknown, unknown, unknown, unknown, unknown, unknown>;
type Handle = { readonly handle: () => Promise<void> };
type HandleAll = { readonly handleAll: () => Promise<[]> };
type Queue = { readonly queue: () => string };

// Checked by `npm run types`: a wrong entry does not compile.

test('an operation is single or batched: not both, not neither, and no batch without a queue', () => {
  const fits: [
    single: Fits<Handle, Any>,
    queued: Fits<Handle & Queue, Any>,
    batched: Fits<HandleAll & Queue, Any>,
    both: Fits<Handle & HandleAll & Queue, Any>,
    neither: Fits<Queue, Any>,
    withoutQueue: Fits<HandleAll, Any>,
  ] = [true, true, true, false, false, false];
  expect(fits).toHaveLength(6);
});

test('a misspelled scope or role does not compile', () => {
  const fits: [
    scope: Fits<'change-request:merge', Scope>,
    misspelledScope: Fits<'change-request:merged', Scope>,
    role: Fits<'review', Rule<unknown>>,
    misspelledRole: Fits<'reviewer', Rule<unknown>>,
  ] = [true, false, true, false];
  expect(fits).toHaveLength(4);
});

test('a handler knows the type of what was prepared, and of a page only where the query has one', async () => {
  const declared = operation({
    method: 'POST',
    path: '/v1/things',
    summary: 'Create a thing',
    scope: null,
    body: Type.Object({ size: Type.Number() }),
    status: 200,
    response: Type.Object({ size: Type.Number() }),
    access: signedIn,
    prepare: async ({ body }) => ({ doubled: body.size * 2 }),
    handle: async ({ prepared, page }) => {
      const size: number | undefined = prepared?.doubled;
      const none: undefined = page;
      return { size: size ?? Number(none) };
    },
  });
  expect(declared.handleAll).toBeUndefined();
});
