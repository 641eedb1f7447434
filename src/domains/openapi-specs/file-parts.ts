import { buffer } from 'node:stream/consumers';
import { LRUCache } from 'lru-cache';
import type { ReadPart, WantedPart } from '../../content-engine/evaluation/index.ts';
import {
  filePartKey,
  partsOfFile,
  type FileParts,
  type PartView,
} from '../../content-engine/openapi/index.ts';
import type { Context } from '../../platform/api/context.ts';
import { unavailable } from '../../platform/api/errors.ts';
import { MAX_SMALL, requireSmall } from '../../platform/api/too-large-here.ts';
import { ThreadError, type Threads } from '../../platform/threads/index.ts';
import { MAX_SPECIFICATION_FILE, PARSE_MS } from './limits.ts';

/** A file of a space that a block names as its source. */
export interface SpecificationFile {
  /** Its name in the storage: the hash of its bytes. */
  readonly stored: string;
  readonly name: string;
  readonly size: number;
}

interface CachedFile {
  /** Undefined: the file is no specification. */
  readonly views: ReadonlyMap<string, string> | undefined;
  readonly size: number;
}

/** Parts of files by the hash of their bytes: entries are never invalidated. */
export type SpecificationFileCache = LRUCache<string, CachedFile>;

const MAX_CACHED = 32 * 1024 * 1024;

export const createSpecificationFileCache = (): SpecificationFileCache =>
  new LRUCache({ maxSize: MAX_CACHED, sizeCalculation: ({ size }) => size + 256 });

declare module '../../platform/api/context.ts' {
  interface Caches {
    readonly specificationFiles: SpecificationFileCache;
  }
}

export type ReadContext = Pick<Context, 'db' | 'isFront' | 'caches' | 'files' | 'threads'>;

/** The parser of YAML takes several times as long as that of JSON. */
const COST_OF_YAML = 4;

/** The parts of a file that a page shows. Undefined for each: the file is no specification. */
export async function readFileParts(
  ctx: ReadContext,
  file: SpecificationFile,
  wanted: readonly WantedPart[],
): Promise<(ReadPart | undefined)[]> {
  const cached = ctx.caches.specificationFiles.get(file.stored) ?? (await parse(ctx, file));
  const { views } = cached ?? {};
  return wanted.map(({ kind, name }) => {
    const json = views?.get(filePartKey(kind, name));
    const view = json === undefined ? undefined : (JSON.parse(json) as PartView);
    return views && { slug: file.name, view, size: json?.length ?? 0 };
  });
}

async function parse(ctx: ReadContext, file: SpecificationFile): Promise<CachedFile | undefined> {
  if (file.size > MAX_SPECIFICATION_FILE) return undefined;
  const cost = /\.json$/i.test(file.name) ? file.size : COST_OF_YAML * file.size;
  requireSmall(ctx, 'file', cost);
  const opened = await ctx.files.open(file.stored);
  if (!opened) return undefined;
  const text = (await buffer(opened.stream)).toString();
  const parts = cost <= MAX_SMALL.file ? partsOfFile(text) : await partsInThread(ctx.threads, text);
  const size = (parts ?? []).reduce((sum, [key, view]) => sum + key.length + view.length, 0);
  const read = { views: parts && new Map(parts), size };
  ctx.caches.specificationFiles.set(file.stored, read);
  return read;
}

/** What takes too long shows nothing. */
async function partsInThread(threads: Threads, text: string): Promise<FileParts | undefined> {
  try {
    return (await threads.run('partsOfFile', text, { timeoutMs: PARSE_MS })) as FileParts | undefined;
  } catch (error) {
    if (!(error instanceof ThreadError)) throw error;
    if (error.failure === 'time' || error.failure === 'memory') return undefined;
    throw unavailable('Too many specifications are being read. Retry in a moment.', error);
  }
}
