import { isBudgetExceeded } from '../../content-engine/budget.ts';
import { tasks } from '../../content-engine/tasks.ts';
import type { Context } from '../../platform/context.ts';
import { tooLarge, unavailable } from '../../platform/errors.ts';
import { ThreadError } from '../../platform/threads/index.ts';

type Tasks = typeof tasks;
type Input<N extends keyof Tasks> = Parameters<Tasks[N]>[0];
type Output<N extends keyof Tasks> = ReturnType<Tasks[N]>;

/** What is worked on, for the choice of where, and for the message if it is too much. */
export interface Work {
  /** The length of the text, or how much else there is to read. */
  readonly size: number;
  /** `Page "Installation"`, or where it is in the request. */
  readonly what: string;
}

/** Up to so many characters take some milliseconds: less than the way to a thread and back is worth. */
export const MAX_INLINE = 50_000;

/** The content engine beside requests: small texts are worked on at once, larger ones in a thread. */
export interface Engine {
  run<N extends keyof Tasks>(name: N, input: Input<N>, work: Work): Promise<Output<N>>;
}

/** `owner`: who takes turns with others where many wait for a thread, such as an organization. */
export const engineOf = ({ threads }: Pick<Context, 'threads'>, owner: string): Engine => ({
  async run(name, input, { size, what }) {
    try {
      if (size > MAX_INLINE) return (await threads.run(name, input, { owner })) as Output<typeof name>;
      return (tasks[name] as (argument: typeof input) => Output<typeof name>)(input);
    } catch (error) {
      throw refusalOf(error, what);
    }
  },
});

/** The one place where the limits of the engine become answers. */
function refusalOf(error: unknown, what: string): unknown {
  if (isBudgetExceeded(error)) return tooLarge(`${what} ${error.message}`);
  if (!(error instanceof ThreadError)) return error;
  switch (error.failure) {
    case 'time':
    case 'memory':
      return tooLarge(
        `${what} takes more ${error.failure} to process than one request may use. Split it into smaller ones.`,
      );
    default:
      return unavailable('The server is processing too many large pages. Try again in a moment.', error);
  }
}
