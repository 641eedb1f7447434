import {
  anchorsIn,
  eachBlock,
  IncludeBudget,
  type AnnotationInline,
  type JSONDocument,
} from '../../document/index.ts';
import type { Need, OutlineEntry } from './options.ts';

/**
 * Ids that the renderer and the page around it make begin with this character. Slugs never contain it, so that no heading
 * has the id of a part of the page.
 */
const RESERVED = '~';

/** Elements of all formulas of a page: macros can make a short formula long, and a page may have thousands of them. */
const MAX_MATH_ELEMENTS = 200_000;

/** More headings are not found in a list, and each one is markup of every reader's page. */
const MAX_OUTLINE = 500;

/** Additions of rendered nodes to their page, in document order. */
export class PageState {
  readonly outline: OutlineEntry[] = [];
  readonly needs = new Set<Need>();
  readonly icons = new Set<string>();
  readonly frames = new Set<string>();
  readonly connects = new Set<string>();
  saysDescription = false;
  /** The heading above a node: its level in HTML, and its text. */
  heading = { level: 1, title: '' };
  /** Ids of notes whose button is rendered, and which follow the paragraph of it. */
  readonly pendingNotes = new Map<AnnotationInline, string>();
  /** Anchors of the document itself. Links lead to them, so that no included content may take one. */
  readonly #anchors: ReadonlySet<string>;
  readonly #used = new Set<string>();
  readonly #counts = new Map<string, number>();
  readonly includes = new IncludeBudget();
  /** Elements that further formulas may have. */
  mathElements = MAX_MATH_ELEMENTS;

  /** Ids of the models of specifications that the page shows, by `<spec> <name>`. */
  readonly models = new Map<string, string>();

  constructor(document: JSONDocument) {
    this.#anchors = new Set(anchorsIn(document));
    eachBlock(document.nodes, (block) => {
      if (block.type !== 'openapi-schemas') return;
      const { ref, schemas } = block.data;
      for (const name of schemas) {
        const key = `${ref.spec} ${name}`;
        if (!this.models.has(key))
          this.models.set(key, this.newId(`model-${name.replaceAll(/[^\p{L}\p{N}.-]+/gu, '_')}`));
      }
    });
  }

  addToOutline(entry: OutlineEntry): void {
    if (this.outline.length < MAX_OUTLINE) this.outline.push(entry);
  }

  /** The id of a block: its anchor, numbered where another block has it. */
  idOf(anchor: string | undefined, isIncluded: boolean): string | undefined {
    // The members of `meta` are not checked in documents that clients send.
    if (typeof anchor !== 'string' || anchor === '' || anchor.startsWith(RESERVED)) return undefined;
    const isFree = (id: string): boolean => !this.#used.has(id) && !(isIncluded && this.#anchors.has(id));
    let id = anchor;
    while (!isFree(id)) id = `${anchor}-${this.count(anchor)}`;
    this.#used.add(id);
    return id;
  }

  /** How often it was asked for a name, with this time. */
  count(name: string): number {
    const count = (this.#counts.get(name) ?? 0) + 1;
    this.#counts.set(name, count);
    return count;
  }

  /** An id for a part that the renderer makes. */
  newId(kind: string): string {
    return `${RESERVED}${kind}-${this.count(RESERVED + kind)}`;
  }
}
