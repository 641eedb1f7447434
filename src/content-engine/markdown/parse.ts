import { SCHEMA_VERSION, type Href, type JSONDocument, type Resolve } from '../document/index.ts';
import { TAGS } from './blocks/index.ts';
import { newBlockReader } from './read/token-to-blocks.ts';
import { assignAnchors } from './read/headings.ts';
import { newReading, type Reading } from './read/reading.ts';
import { refAt } from './read/reading.ts';
import { plain } from './read/inlines/destination.ts';
import { scanBlocks } from './scan/scan.ts';
import type { Scan } from './scan/state.ts';
import type { Token, Warning } from './scan/token.ts';

/** The result of parsing a body. */
export interface Parsed {
  readonly body: string;
  readonly document: JSONDocument;
  /** Top-level blocks of the source. */
  readonly tokens: readonly Token[];
  readonly footnotes: ReadonlyMap<string, Token>;
  readonly hrefs: readonly Href[];
  readonly warnings: readonly Warning[];
}

export function parse(body: string, resolve?: Resolve, maxNodes?: number): Parsed {
  const scan = scanBlocks(body, TAGS, maxNodes);
  const reading = newReading(scan, resolve);
  const reader = newBlockReader(reading);
  const tokens = scan.stack[0]?.children ?? [];
  const nodes = reader.blocks(tokens, true);
  readRest(scan, reading, reader);
  assignAnchors(reading.headings, reading.parts);
  const hrefs = reading.hrefs.toSorted((one, other) => one.start - other.start || one.end - other.end);
  return {
    body,
    document: { object: 'document', data: { schemaVersion: SCHEMA_VERSION }, nodes },
    tokens,
    footnotes: scan.footnotes,
    hrefs: unique(hrefs),
    warnings: scan.warnings.toSorted((one, other) => one.start - other.start),
  };
}

/** Addresses in definitions, and in footnotes that nothing refers to. */
function readRest(scan: Scan, reading: Reading, reader: ReturnType<typeof newBlockReader>): void {
  for (const token of reading.pendingNotes) {
    if (!reading.readNotes.has(token.name) || reading.footnotes.get(token.name) !== token) {
      reading.inNote = true;
      reader.blocks(token.children ?? [], false);
      reading.inNote = false;
    }
  }
  for (const { from, to } of scan.definitions.values()) {
    const span = { text: scan.src, from, to, map: null };
    refAt(reading, span, from, to, plain(scan.src.slice(from, to)), 'link');
  }
}

/** A definition that several links use is one address in the source. */
const unique = (hrefs: readonly Href[]): Href[] =>
  hrefs.filter((href, index) => index === 0 || href.start !== hrefs[index - 1]?.start);
