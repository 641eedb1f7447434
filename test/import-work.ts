import { hashOf } from '../src/content-engine/map/index.ts';
import type { ImportLimits, ImportWork, Progress } from '../src/domains/imports/folder/imported-folder.ts';
import { typeOf } from '../src/platform/files/index.ts';
import { createOutbound, type OutboundOptions } from '../src/platform/outbound/index.ts';
import { tasks } from '../src/tasks.ts';

const MB = 1024 * 1024;

export interface TestWork extends ImportWork {
  readonly progress: Progress[];
  /** The bytes of the stored files, by name. */
  readonly stored: Map<string, Uint8Array>;
}

export interface WorkOptions {
  readonly outbound?: Partial<OutboundOptions>;
  readonly limits?: Partial<ImportLimits>;
  readonly signal?: AbortSignal;
  /** From now on. */
  readonly pagesMs?: number;
  readonly filesMs?: number;
}

/** What readers are given, with a client that may reach the loopback address, a store in memory, and no threads. */
export function aWork({
  outbound,
  limits,
  signal,
  pagesMs = 120_000,
  filesMs = 120_000,
}: WorkOptions = {}): TestWork {
  const progress: Progress[] = [];
  const stored = new Map<string, Uint8Array>();
  return {
    outbound: createOutbound({ allow: ['127.0.0.1:*'], ownAddresses: [], ...outbound }),
    convert: (inputs) => Promise.resolve(tasks.convertPages(inputs)),
    convertDocx: tasks.convertDocx,
    storeFile: (name, bytes) => {
      stored.set(name, bytes);
      return Promise.resolve({ hash: hashOf(bytes), size: bytes.length, contentType: typeOf(bytes, name) });
    },
    limits: {
      pages: 5000,
      textBytes: 24 * MB,
      files: 2000,
      fileBytes: 20 * MB,
      filesBytes: 512 * MB,
      listed: 1000,
      ...limits,
    },
    deadline: { pagesUntil: performance.now() + pagesMs, filesUntil: performance.now() + filesMs },
    signal: signal ?? new AbortController().signal,
    report: (each) => void progress.push(each),
    progress,
    stored,
  };
}
