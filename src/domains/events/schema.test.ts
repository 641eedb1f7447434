import { expectTypeOf, test } from 'vitest';
import type { EventRow, NewEvent } from './schema.ts';

/** Checked by the compiler (`npm run types`). */

interface Event<Type extends string, Data> {
  readonly organizationId: string;
  readonly spaceId: string;
  readonly type: Type;
  readonly data: Data;
}

interface Merged {
  readonly changeRequestId: string;
  readonly revisionId: string;
  readonly mergedBy: string;
}

test('an event is recorded with a declared name and its payload', () => {
  expectTypeOf<Event<'change_request_merged', Merged>>().toExtend<NewEvent>();
  expectTypeOf<Event<'change_request_mergd', Merged>>().not.toExtend<NewEvent>();
  expectTypeOf<Event<'change_request_merged', Omit<Merged, 'mergedBy'>>>().not.toExtend<NewEvent>();
  expectTypeOf<Event<'comment_posted', Merged>>().not.toExtend<NewEvent>();
});

test('the type of an event determines its payload', () => {
  const read = (event: EventRow) => {
    if (event.type === 'change_request_merged') expectTypeOf(event.data).toEqualTypeOf<Merged>();
    return event.type;
  };
  expectTypeOf(read).returns.extract<'comment_postd'>().toBeNever();
});
