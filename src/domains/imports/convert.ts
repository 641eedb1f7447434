import type { ConvertInput, ConvertOutcome } from '../../content-engine/html/index.ts';
import type { Context } from '../../platform/api/context.ts';
import { ThreadError } from '../../platform/threads/index.ts';
import type { DocxOutcome, ImportWork } from './folder/imported-folder.ts';
import type { ConversionTime } from './limits.ts';

/** Converts pages in a thread. A page that exceeds the limits of time or memory fails alone, not with its batch. */
export function converterOf(
  { threads }: Pick<Context, 'threads'>,
  owner: string,
  signal: AbortSignal,
  { batchMs, pageMs, wallMs, name }: ConversionTime,
): ImportWork['convert'] {
  const run = async (
    inputs: readonly ConvertInput[],
    timeoutMs: number,
  ): Promise<readonly ConvertOutcome[]> =>
    (await threads.run('convertPages', inputs, {
      owner,
      signal,
      timeoutMs,
      wallMs,
    })) as readonly ConvertOutcome[];

  const runAlone = async (input: ConvertInput): Promise<ConvertOutcome> => {
    try {
      const [outcome] = await run([input], pageMs);
      return outcome ?? { failure: 'The page could not be converted.' };
    } catch (error) {
      const limit = limitExceeded(error, name);
      if (limit === undefined) throw error;
      return { failure: `Converting the page exceeds the ${limit}.`, isTooLarge: true };
    }
  };

  return async (inputs) => {
    const [first, ...others] = inputs;
    if (first && others.length === 0) return [await runAlone(first)];
    try {
      return await run(inputs, batchMs);
    } catch (error) {
      if (limitExceeded(error, name) === undefined) throw error;
      const outcomes: ConvertOutcome[] = [];
      for (const input of inputs) outcomes.push(await runAlone(input));
      return outcomes;
    }
  };
}

/** Converts Word documents in a thread. */
export const docxConverterOf =
  (
    { threads }: Pick<Context, 'threads'>,
    owner: string,
    signal: AbortSignal,
    { pageMs: timeoutMs, wallMs, name }: ConversionTime,
  ): ImportWork['convertDocx'] =>
  async (input) => {
    try {
      return (await threads.run('convertDocx', input, { owner, signal, timeoutMs, wallMs })) as DocxOutcome;
    } catch (error) {
      const limit = limitExceeded(error, name);
      if (limit === undefined) throw error;
      return { status: 413, failure: `Converting the Word document exceeds the ${limit}. Split it.` };
    }
  };

/** The limit that a conversion exceeded. `timeLimit`: how messages name that of time. */
function limitExceeded(error: unknown, timeLimit: string): string | undefined {
  if (!(error instanceof ThreadError)) return undefined;
  if (error.failure === 'time') return timeLimit;
  return error.failure === 'memory' ? 'memory limit' : undefined;
}
