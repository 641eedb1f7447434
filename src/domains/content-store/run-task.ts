import { isBudgetExceeded } from '../../content-engine/budget.ts';
import type { Size } from '../../content-engine/size-of-text.ts';
import type { Context } from '../../platform/api/context.ts';
import { tooLarge } from '../../platform/api/errors.ts';
import { requireSmall } from '../../platform/api/too-large-here.ts';
import { inTurn } from '../../platform/threads/in-turn.ts';

/** What a task of the content engine works on. */
export interface Work {
  readonly size: Size;
  /** `Page "Installation"`, or a path in the request: it is named if it exceeds a limit. */
  readonly what: string;
}

type InProcess = Pick<Context, 'isFront'>;

/** Runs a task of the content engine, if what it works on is small enough for this process. */
export function runTask<T>(ctx: InProcess, { size, what }: Work, task: () => T): T {
  requireSmall(ctx, 'text', size);
  try {
    return task();
  } catch (error) {
    throw isBudgetExceeded(error) ? tooLarge(`${what} ${error.message}`) : error;
  }
}

/** Runs a task of a read. Many reads may arrive together: their tasks share the event loop with other requests. */
export const runTaskInTurn = <T>(ctx: InProcess, work: Work, task: () => T): Promise<T> =>
  inTurn(() => runTask(ctx, work, task));
