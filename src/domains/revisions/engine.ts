import { isBudgetExceeded } from '../../content-engine/budget.ts';
import type { Size } from '../../content-engine/size-of-text.ts';
import { tasks } from '../../content-engine/tasks.ts';
import type { Context } from '../../platform/api/context.ts';
import { tooLarge, unavailable } from '../../platform/api/errors.ts';
import { ThreadError } from '../../platform/threads/index.ts';
import { inSlices, inTurn, tasksInSlices } from '../../platform/threads/slices.ts';

type Tasks = typeof tasks;
type Input<N extends keyof Tasks> = Parameters<Tasks[N]>[0];
type Output<N extends keyof Tasks> = ReturnType<Tasks[N]>;

/** What a task works on: decides where it runs, and is named if it exceeds a limit. */
export interface Work {
  readonly size: Size;
  /** `Page "Installation"`, or a path in the request. */
  readonly what: string;
}

/** Up to this many characters take a few milliseconds: less than handing them to a thread costs. */
export const MAX_INLINE = 50_000;

export const isLarge = (size: Size): boolean => size > MAX_INLINE;

/** Runs tasks of the content engine: small ones at once, large ones in a thread. */
export interface Engine {
  run<N extends keyof Tasks>(name: N, input: Input<N>, work: Work): Promise<Output<N>>;
  /** Whether a large task would start at once: no lock may wait for a thread (decision 24). */
  hasFreeThread(): boolean;
  /** For input that cannot be copied to a thread, such as a function, and is known to be small. */
  here<T>(what: string, work: () => T): Promise<T>;
  /** The same for work in steps. */
  inSlices<T>(what: string, work: Generator<void, T, void>): Promise<T>;
}

type RunSmall = <T>(task: () => T) => Promise<T>;

/** `owner`: owners take turns where tasks wait for a thread, such as organizations. */
export const engineOf = ({ threads }: Pick<Context, 'threads'>, owner: string): Engine =>
  engineWith(threads, owner, tasksInSlices());

/** For reads, which may be many: together, their small tasks use one slice per turn of the event loop. */
export const readingEngineOf = ({ threads }: Pick<Context, 'threads'>, owner: string): Engine =>
  engineWith(threads, owner, inTurn);

function engineWith(threads: Context['threads'], owner: string, runSmall: RunSmall): Engine {
  return {
    here: (what, work) => inTurn(() => named(what, work)),
    inSlices: hereInSlices,
    hasFreeThread: () => threads.hasFree(),
    async run(name, input, { size, what }) {
      if (!isLarge(size)) return runSmall(() => named(what, () => call(name, input)));
      try {
        return (await threads.run(name, input, { owner })) as Output<typeof name>;
      } catch (error) {
        throw refusalOf(error, what);
      }
    },
  };
}

/** For commands, which serve no requests meanwhile. */
export const engineWithoutThreads: Engine = {
  here: async (what, work) => named(what, work),
  inSlices: hereInSlices,
  hasFreeThread: () => false,
  run: async (name, input, { what }) => named(what, () => call(name, input)),
};

const call = <N extends keyof Tasks>(name: N, input: Input<N>): Output<N> =>
  (tasks[name] as (argument: Input<N>) => Output<N>)(input);

/** An error names what was worked on. */
function named<T>(what: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw refusalOf(error, what);
  }
}

async function hereInSlices<T>(what: string, work: Generator<void, T, void>): Promise<T> {
  try {
    return await inSlices(work);
  } catch (error) {
    throw refusalOf(error, what);
  }
}

/** The one place that turns limits of the engine into API errors. */
function refusalOf(error: unknown, what: string): unknown {
  if (isBudgetExceeded(error)) return tooLarge(`${what} ${error.message}`);
  if (!(error instanceof ThreadError)) return error;
  switch (error.failure) {
    case 'time':
    case 'memory':
      return tooLarge(
        `${what} exceeds the ${error.failure} limit for one request. Split it into smaller ones.`,
      );
    default:
      return unavailable('The server is processing too many large pages. Retry in a moment.', error);
  }
}
