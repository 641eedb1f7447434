import {
  mdxWarnings,
  readMarkdown,
  splitMarkdown,
  textOf,
  type MarkdownKind,
  type StoredMarkdown,
} from '../../../content-engine/folder/index.ts';
import type { Hash } from '../../../content-engine/map/index.ts';
import type { BodyAnalysis } from '../../../content-engine/markdown/index.ts';
import { referencesOf, type Tree } from '../../../content-engine/tree/index.ts';
import type { Database } from '../../../platform/database/connection.ts';
import { CollectedAnalyses, storeTexts } from '../../content-store/index.ts';
import { describeFile } from '../files/store-bytes.ts';

/** Bodies that are in memory together. */
const MAX_BODIES = 64;
const MAX_CHARACTERS = 1_000_000;

export interface MarkdownReaderOptions {
  readonly db: Database;
  readonly storeId: string;
  /** Content whose bodies are stored already. */
  readonly previous?: Tree | undefined;
  readonly warn: (path: string, message: string, line?: number) => void;
}

/**
 * Reads the Markdown files of a folder one by one, and stores their bodies in groups, so that only what the records need stays in
 * memory, however large the folder is. Bodies that no revision refers to in the end are collected after a day.
 */
export class MarkdownReader {
  readonly #options: MarkdownReaderOptions;
  readonly #stored: Set<Hash>;
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
    const parts = splitMarkdown(kind, text, path);
    const { markdown, body, analysis } = readMarkdown(parts, known);
    const { document } = markdown;
    if (!known) {
      this.#analyses.add(document, analysis);
      for (const { message, line } of mdxWarnings(path, text)) this.#options.warn(path, message, line);
    }
    if (!this.#stored.has(document)) await this.#store(document, body);
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
}

function documentsOf(tree: Tree | undefined): Set<Hash> {
  const documents = new Set<Hash>();
  for (const record of tree?.records.values() ?? [])
    for (const hash of referencesOf(record).documents) documents.add(hash);
  return documents;
}
