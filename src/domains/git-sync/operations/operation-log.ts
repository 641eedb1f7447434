import type { LogEntry } from '../schema.ts';

const MAX_ENTRIES = 1000;

/** What an operation did and skipped, by file. The first entries are kept: a list of 50,000 helps no one. */
export class OperationLog {
  readonly #entries: LogEntry[] = [];
  #omitted = 0;

  info(message: string, path?: string): void {
    this.#add({ level: 'info', message, ...(path === undefined ? {} : { path }) });
  }

  warn(message: string, path?: string, line?: number): void {
    this.#add({
      level: 'warning',
      message,
      ...(path === undefined ? {} : { path }),
      ...(line === undefined ? {} : { line }),
    });
  }

  get entries(): readonly LogEntry[] {
    if (this.#omitted === 0) return this.#entries;
    return [...this.#entries, { level: 'info', message: `${this.#omitted} further entries are omitted.` }];
  }

  #add(entry: LogEntry): void {
    if (this.#entries.length < MAX_ENTRIES) this.#entries.push(entry);
    else this.#omitted++;
  }
}
