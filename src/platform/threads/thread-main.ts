import { workerData } from 'node:worker_threads';
import { move } from 'piscina';
import { startClock, type ThreadClock } from './thread-clock.ts';

/** Runs in each thread of the pool: calls the functions of the tasks module, which is loaded once. */

export interface TaskMessage {
  readonly name: string;
  readonly input: unknown;
  readonly clock: ThreadClock;
}

/** Bytes are transferred. A cloned error loses its class and its fields, so the fields are sent. */
export type Outcome = Uint8Array | { readonly value: unknown } | { readonly error: ErrorFields };

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
    return value instanceof Uint8Array ? handOver(value) : { value };
  } catch (error) {
    const { message, stack } = error as Error;
    return { error: { ...(error as object), message, stack } };
  }
}

/** A small `Buffer` shares its block with other buffers: only a whole block can be transferred. */
const handOver = (bytes: Uint8Array): Outcome =>
  bytes.byteLength === bytes.buffer.byteLength ? (move(bytes) as Uint8Array) : { value: bytes };
