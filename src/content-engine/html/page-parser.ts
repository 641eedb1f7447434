import { InsertionMode, Parser, TokenizerMode, type DefaultTreeAdapterMap, type Token } from 'parse5';
import { boundedAdapter, type BoundedAdapter } from './bounded-adapter.ts';
import { insideOf, lastIsText, ParsedPage, type Checkpoint } from './checkpoints.ts';
import { isElement, parentOf, type ChildNode, type Document, type Element } from './dom.ts';

/** Of a page whose nodes are kept for the next ones. */
const MAX_KEPT = 512 * 1024;

/** Navigations are not nested deeper, and the names of all open elements are compared. */
const MAX_DEPTH = 64;

/** Tags that change or add nodes outside of the current element. */
const FAR_REACHING = new Set(['html', 'body', 'head', 'frameset']);

/**
 * Parses pages of one website, one after another. Most of them consist of a navigation that is the same on every page:
 * its nodes are made once and moved to the next page.
 */
export class PageParser {
  #kept: ParsedPage | undefined;
  #current: IncrementalParser | undefined;

  /** The document of a page, as browsers read it. Throws `BudgetExceeded`. The previous document is not valid any more. */
  parse(text: string): Document {
    // A page that was not released failed, and may have changed any of its nodes.
    if (this.#current) this.#kept = undefined;
    const parsed = text.length <= MAX_KEPT ? new ParsedPage(text) : undefined;
    this.#current = new IncrementalParser(text, { earlier: this.#kept, parsed });
    return this.#current.parse();
  }

  /** Ends the work on a page. `changed`: elements that are not as they were parsed, or whose descendants are not. */
  release(changed: readonly Element[]): void {
    const page = this.#current;
    this.#current = undefined;
    if (!page) return;
    if (page.hasMoved) {
      if (page.hasMovedInto(changed)) this.#kept = undefined;
    } else if (page.parsed) {
      page.parsed.exclude(changed);
      this.#kept = page.parsed;
    }
  }
}

/** A page by itself. */
export const parseHtml = (text: string): Document => new IncrementalParser(text).parse();

/** What the parser knows of an open element. */
interface Opened {
  readonly path: string;
  readonly checkpoints: Checkpoint[];
}

interface Pages {
  readonly earlier?: ParsedPage | undefined;
  /** Where the checkpoints of this page are added. */
  readonly parsed?: ParsedPage | undefined;
}

class IncrementalParser extends Parser<DefaultTreeAdapterMap> {
  readonly parsed: ParsedPage | undefined;
  readonly #text: string;
  readonly #earlier: ParsedPage | undefined;
  readonly #adapter: BoundedAdapter;
  readonly #opened = new Map<Element, Opened>();
  /** Nodes of the earlier page, and the elements that they were moved into. */
  readonly #moved = new Set<ChildNode>();
  readonly #parents = new Set<Element>();
  #era = 0;

  constructor(text: string, { earlier, parsed }: Pages = {}) {
    const adapter = boundedAdapter();
    super({ treeAdapter: adapter.treeAdapter });
    this.#text = text;
    this.#earlier = earlier;
    this.#adapter = adapter;
    this.parsed = parsed;
  }

  parse(): Document {
    this.tokenizer.write(this.#text, true);
    return this.document;
  }

  get hasMoved(): boolean {
    return this.#moved.size > 0;
  }

  hasMovedInto(changed: readonly Element[]): boolean {
    for (const element of changed)
      for (let at: Element | undefined = element; at; at = parentOf(at)) if (this.#moved.has(at)) return true;
    const isChanged = insideOf(new Set(changed));
    return [...this.#parents].some(isChanged);
  }

  override onStartTag(token: Token.TagToken): void {
    super.onStartTag(token);
    this.#afterTag(token);
  }

  override onEndTag(token: Token.TagToken): void {
    super.onEndTag(token);
    this.#afterTag(token);
  }

  #afterTag({ tagName }: Token.TagToken): void {
    if (FAR_REACHING.has(tagName)) this.#era++;
    const parent = this.openElements.current;
    if (!(this.#earlier ?? this.parsed) || !parent || !isElement(parent)) return;
    const { depth = 0 }: Element = parent;
    if (depth > MAX_DEPTH || !this.#dependsOnOpenElements() || lastIsText(parent)) return;
    const { preprocessor } = this.tokenizer;
    const offset = preprocessor.droppedBufferSize + preprocessor.pos + 1;
    const run = this.#earlier?.find(this.#text, offset, parent, () => this.#openedOf(parent).path);
    if (!run) return this.#mark(offset, parent);
    const { from, to } = run;
    for (let at = from.count; at < to.count; at++)
      this.#move(from.parent.childNodes[at] as ChildNode, parent);
    this.#parents.add(parent);
    this.#adapter.spend(to.spent - from.spent);
    // The tokenizer reads on after the run, as if it had read the last tag in it.
    preprocessor.pos += to.offset - from.offset;
  }

  #move(node: ChildNode, parent: Element): void {
    node.parentNode = parent;
    parent.childNodes.push(node);
    this.#moved.add(node);
  }

  #mark(offset: number, parent: Element): void {
    if (!this.parsed) return;
    const { path, checkpoints: siblings } = this.#openedOf(parent);
    const count = parent.childNodes.length;
    const spent = this.#adapter.spent();
    const checkpoint = { offset, parent, count, path, spent, era: this.#era, siblings };
    siblings.push(checkpoint);
    this.parsed.add(checkpoint);
  }

  /** Whether the open elements are all that the parser has to remember. */
  #dependsOnOpenElements(): boolean {
    return (
      this.insertionMode === InsertionMode.IN_BODY &&
      this.tokenizer.state === TokenizerMode.DATA &&
      !this.tokenizer.inForeignNode &&
      !this.currentNotInHTML &&
      this.activeFormattingElements.newest === null &&
      this.tmplInsertionModeStack.length === 0 &&
      this.formElement === null &&
      !this.framesetOk &&
      !this.skipNextNewLine &&
      !this.fosterParentingEnabled
    );
  }

  /** Of the current element. Elements are only removed from below others while a form or formatting elements are open. */
  #openedOf(current: Element): Opened {
    let opened = this.#opened.get(current);
    if (!opened) {
      opened = { path: this.#path(), checkpoints: [] };
      this.#opened.set(current, opened);
    }
    return opened;
  }

  #path(): string {
    const names: string[] = [];
    const { items, stackTop } = this.openElements;
    for (let at = stackTop; at >= 0; at = this.openElements.slotBelow(at)) {
      const open = items[at];
      if (!open || !isElement(open)) continue;
      const known = this.#opened.get(open);
      names.push(known ? known.path : `${open.namespaceURI} ${open.tagName}`);
      if (known) break;
    }
    return names.toReversed().join('\n');
  }
}
