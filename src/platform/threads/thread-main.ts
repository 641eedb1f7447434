import { workerData } from 'node:worker_threads';
import { move, transferableSymbol, valueSymbol } from 'piscina';
import { startClock, type ThreadClock } from './thread-clock.ts';

/** Runs in each thread of the pool: calls the functions of the tasks module, which is loaded once. */

export interface TaskMessage {
  readonly name: string;
  readonly input: unknown;
  readonly clock: ThreadClock;
}

/** A cloned error loses its class and its fields, so the fields are sent. */
export type Outcome = { readonly value: unknown } | { readonly error: ErrorFields };

type ErrorFields = Readonly<Record<string, unknown>> & { readonly message: string };

interface TasksModule {
  readonly tasks: Readonly<Record<string, (input: unknown) => unknown>>;
}

const { tasks } = (await import(workerData as string)) as TasksModule;

export async function runTask({ name, input, clock }: TaskMessage): Promise<Outcome> {
  try {
    startClock(clock);
    const task = tasks[name];
    if (!task) throw new Error(`There is no task ${name}`);
    const value = await task(input);
    return handOver(value);
  } catch (error) {
    const { message, stack } = error as Error;
    return { error: { ...(error as object), message, stack } };
  }
}

/** Bytes are transferred, as the result or in one of its fields. */
function handOver(value: unknown): Outcome {
  const blocks = new Set(
    bytesOf(value)
      .filter(isWhole)
      .map(({ buffer }) => buffer),
  );
  return move({ [transferableSymbol]: [...blocks], [valueSymbol]: { value } }) as unknown as Outcome;
}

function bytesOf(value: unknown): Uint8Array[] {
  if (value instanceof Uint8Array) return [value];
  return Object.values(value ?? {}).filter((part) => part instanceof Uint8Array);
}

/** A small `Buffer` shares its block with other buffers: only a whole block can be transferred. */
const isWhole = (bytes: Uint8Array): boolean => bytes.byteLength === bytes.buffer.byteLength;
