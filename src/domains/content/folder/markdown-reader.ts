import {
  readMarkdown,
  splitMarkdown,
  textOf,
  type MarkdownKind,
  type StoredMarkdown,
} from '../../../content-engine/folder/index.ts';
import type { Hash } from '../../../content-engine/map/index.ts';
import { analyseBody, type BodyAnalysis } from '../../../content-engine/markdown/index.ts';
import { sizeOfText } from '../../../content-engine/size-of-text.ts';
import { referencesOf, type Tree } from '../../../content-engine/tree/index.ts';
import { ApiError } from '../../../platform/api/errors.ts';
import type { Database } from '../../../platform/database/connection.ts';
import { pauseBetweenSlices } from '../../../platform/threads/slices.ts';
import { CollectedAnalyses, isLarge, storeTexts, type Engine } from '../../revisions/index.ts';
import { describeFile } from '../files/store-bytes.ts';

/** Bodies that are in memory together. */
const MAX_BODIES = 64;
const MAX_CHARACTERS = 1_000_000;

export interface MarkdownReaderOptions {
  readonly db: Database;
  readonly storeId: string;
  /** Parses large pages in threads. Undefined: they are parsed here. */
  readonly engine?: Engine;
  /** Content whose bodies are stored already. */
  readonly previous?: Tree | undefined;
  readonly warn: (path: string, message: string) => void;
}

/**
 * Reads the Markdown files of a folder one by one, and stores their bodies in groups, so that only what the records need stays in
 * memory, however large the folder is. Bodies that no revision refers to in the end are collected after a day.
 */
export class MarkdownReader {
  readonly #options: MarkdownReaderOptions;
  readonly #stored: Set<Hash>;
  readonly #pause = pauseBetweenSlices();
  readonly #analyses = new CollectedAnalyses();
  #bodies = new Map<Hash, string>();
  #characters = 0;
  /** The next files are read while bodies are written. */
  #writing: Promise<void> = Promise.resolve();

  constructor(options: MarkdownReaderOptions) {
    this.#options = options;
    this.#stored = documentsOf(options.previous);
  }

  /** `known`: the analysis without sections of a body that is indexed already. Undefined: the file is not UTF-8. */
  async read(
    path: string,
    kind: MarkdownKind,
    bytes: Uint8Array,
    known?: BodyAnalysis,
  ): Promise<StoredMarkdown | undefined> {
    const text = textOf(bytes);
    if (text === undefined) return undefined;
    const parts = splitMarkdown(kind, text);
    const parsed = known ?? (await this.#analyseLarge(path, parts.body));
    const { markdown, body, analysis } = readMarkdown(parts, parsed);
    const { document } = markdown;
    if (!known) this.#analyses.add(document, analysis);
    if (!this.#stored.has(document)) await this.#store(document, body);
    await this.#pause();
    const described = describeFile(bytes, path.slice(path.lastIndexOf('/') + 1));
    // A copy: titles and hrefs are cut from the text, and would keep all of it in memory.
    return { path, markdown: structuredClone(markdown), described };
  }

  /** Stores the rest. Returns the analyses of the bodies. */
  async finish(): Promise<CollectedAnalyses> {
    await this.#storeBodies();
    await this.#writing;
    return this.#analyses;
  }

  async #store(document: Hash, body: string): Promise<void> {
    this.#stored.add(document);
    this.#bodies.set(document, body);
    this.#characters += body.length;
    if (this.#bodies.size >= MAX_BODIES || this.#characters >= MAX_CHARACTERS) await this.#storeBodies();
  }

  async #storeBodies(): Promise<void> {
    const { db, storeId } = this.#options;
    const bodies = this.#bodies;
    this.#bodies = new Map();
    this.#characters = 0;
    await this.#writing;
    this.#writing = storeTexts(db, storeId, bodies);
    // It may fail before it is awaited; the next await throws the error.
    this.#writing.catch(() => undefined);
  }

  /** A page that exceeds the limits is imported, but its text is not searchable. */
  async #analyseLarge(path: string, body: string): Promise<BodyAnalysis | undefined> {
    const { engine, warn } = this.#options;
    const size = sizeOfText(body);
    if (!engine || !isLarge(size)) return undefined;
    try {
      return await engine.run('analyseBody', body, { size, what: path });
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 413)) throw error;
      warn(path, `${error.message} It is imported unchanged, but its text is not searchable.`);
      return analyseBody('');
    }
  }
}

function documentsOf(tree: Tree | undefined): Set<Hash> {
  const documents = new Set<Hash>();
  for (const record of tree?.records.values() ?? [])
    for (const hash of referencesOf(record).documents) documents.add(hash);
  return documents;
}
