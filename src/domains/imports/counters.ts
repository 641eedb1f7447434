import { Counter } from 'prom-client';
import { ApiError } from '../../platform/api/errors.ts';
import type { Context } from '../../platform/api/context.ts';
import type { ImportSource, RunSource } from './schema.ts';

/** `failed`: the source or the target does not allow it. `error`: the server failed; a run is attempted again. */
export type Outcome = 'completed' | 'failed' | 'cancelled' | 'error';

/** The counters of this process, for `/metrics`. */
export interface ImportCounters {
  readonly imports: Counter<'source' | 'outcome'>;
  readonly pages: Counter;
}

declare module '../../platform/api/context.ts' {
  interface Caches {
    readonly importCounters: ImportCounters;
  }
}

export const createImportCounters = (): ImportCounters => ({
  imports: new Counter({
    name: 'octavo_imports_total',
    help: 'Imports that ended, by source and outcome: completed, failed, cancelled or error',
    labelNames: ['source', 'outcome'],
    registers: [],
  }),
  pages: new Counter({ name: 'octavo_import_pages_total', help: 'Imported pages', registers: [] }),
});

/** `file`: uploaded files, whose source the user did not name. */
export type SourceLabel = ImportSource | 'file';

export const labelOfRun = (source: RunSource): SourceLabel =>
  source.type === 'url' ? source.source : source.type;

export function countImport(
  { caches }: Pick<Context, 'caches'>,
  source: SourceLabel,
  outcome: Outcome,
  pages = 0,
): void {
  caches.importCounters.imports.inc({ source, outcome });
  caches.importCounters.pages.inc(pages);
}

/** The outcome of an import that was not written. */
export function outcomeOf(error: unknown, signal: AbortSignal): Outcome {
  if (signal.aborted) return 'cancelled';
  return error instanceof ApiError && error.status < 500 ? 'failed' : 'error';
}
