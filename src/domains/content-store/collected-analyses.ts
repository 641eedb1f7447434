import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Hash } from '../../content-engine/map/index.ts';
import type { BodyAnalysis } from '../../content-engine/markdown/index.ts';

/** The fastest: the bytes are read once, soon. */
const LEVEL = { level: 1 };

/** Characters of sections that are kept uncompressed: most imports have fewer, and compressing takes as long as parsing. */
const MAX_UNCOMPRESSED = 8_000_000;

/** Collects the analyses of an import, which may have thousands of bodies before they are indexed. */
export class CollectedAnalyses extends Map<Hash, BodyAnalysis> {
  #characters = 0;
  readonly #uncompressed: Hash[] = [];

  add(document: Hash, analysis: BodyAnalysis): void {
    if (this.has(document)) return;
    for (const { text } of analysis.sections) this.#characters += text.length;
    this.set(document, analysis);
    this.#uncompressed.push(document);
    if (this.#characters <= MAX_UNCOMPRESSED) return;
    // This one, and one of those before it: compressing all of them at once would take long.
    this.#compress();
    this.#compress();
  }

  #compress(): void {
    const document = this.#uncompressed.pop();
    const analysis = document === undefined ? undefined : this.get(document);
    if (document !== undefined && analysis) this.set(document, new CompactAnalysis(analysis));
  }
}

/**
 * Its sections, which are as long as the body, are compressed, and decompressed each time they are read. Everything else is a
 * copy: a string that is cut from a body keeps all of it in memory.
 */
class CompactAnalysis implements BodyAnalysis {
  readonly hrefs: readonly string[];
  readonly dependencies: readonly string[];
  readonly specs: readonly string[];
  readonly anchors: readonly string[];
  readonly warnings = [];
  readonly #sections: Uint8Array;

  constructor({ sections, hrefs, dependencies, specs, anchors }: BodyAnalysis) {
    [this.hrefs, this.dependencies, this.specs, this.anchors] = JSON.parse(
      JSON.stringify([hrefs, dependencies, specs, anchors]),
    ) as [string[], string[], string[], string[]];
    // A copy: zlib returns a part of a larger buffer.
    this.#sections = new Uint8Array(deflateRawSync(JSON.stringify(sections), LEVEL));
  }

  get sections(): BodyAnalysis['sections'] {
    return JSON.parse(inflateRawSync(this.#sections).toString()) as BodyAnalysis['sections'];
  }
}
