import { isElement, parentOf, type ChildNode, type Element } from './dom.ts';

/**
 * A place between two tags of a page at which the parser depends on nothing but its open elements, and between the
 * children of `parent`: from here on, equal texts become equal nodes.
 */
export interface Checkpoint {
  /** In the text of the page. */
  readonly offset: number;
  readonly parent: Element;
  /** Children of `parent` before it. */
  readonly count: number;
  /** Names of the open elements. */
  readonly path: string;
  /** Of the budget of the page. */
  readonly spent: number;
  /** Counts tags that change nodes outside of `parent`. */
  readonly era: number;
  /** All between children of `parent`, in order. */
  readonly siblings: readonly Checkpoint[];
}

/** Children of an element that were parsed before, from a checkpoint to a later one. */
export interface Run {
  readonly from: Checkpoint;
  readonly to: Checkpoint;
}

/** Shorter texts are parsed as fast as they are found. */
const WINDOW = 256;
const MAX_COMPARED = 4096;

/** A page that was parsed, whose nodes later pages may take over. */
export class ParsedPage {
  readonly #text: string;
  readonly #byText = new Map<string, Checkpoint>();
  /** Elements that were changed after parsing, and those around them. */
  readonly #changed = new Set<ChildNode>();
  /** The last comparison: until where the texts are equal, and how far apart they are. */
  #equal = { text: '', distance: 0, end: 0 };

  constructor(text: string) {
    this.#text = text;
  }

  /** The first place with a text keeps it. */
  add(checkpoint: Checkpoint): void {
    const key = this.#text.slice(checkpoint.offset, checkpoint.offset + WINDOW);
    if (key.length === WINDOW && !this.#byText.has(key)) this.#byText.set(key, checkpoint);
  }

  /** The nodes in and around these elements are not taken over. */
  exclude(changed: readonly Element[]): void {
    for (const element of changed)
      for (let at: Element | undefined = element; at; at = parentOf(at)) this.#changed.add(at);
    const isChanged = insideOf(new Set(changed));
    for (const [key, { parent }] of this.#byText) if (isChanged(parent)) this.#byText.delete(key);
  }

  /** The nodes for the text from an offset on, between children of an element like `parent`. */
  find(text: string, offset: number, parent: Element, path: () => string): Run | undefined {
    const from = this.#byText.get(text.slice(offset, offset + WINDOW));
    if (!from || from.parent.depth !== parent.depth || from.path !== path()) return undefined;
    const end = this.#equalUntil(text, offset, from.offset);
    const children = from.parent.childNodes;
    let to: Checkpoint | undefined;
    let count = from.count;
    for (let at = indexAfter(from); at < from.siblings.length; at++) {
      const next = from.siblings[at] as Checkpoint;
      if (next.offset > end || next.era !== from.era) break;
      while (count < next.count && !this.#changed.has(children[count] as ChildNode)) count++;
      if (count < next.count) break;
      to = next;
    }
    return to && { from, to };
  }

  /** The end of the equal texts from these offsets on, in the own text. */
  #equalUntil(text: string, offset: number, own: number): number {
    const distance = offset - own;
    const last = this.#equal;
    if (last.text === text && last.distance === distance && own <= last.end) return last.end;
    let end = own;
    const isEqual = (length: number): boolean =>
      text.slice(end + distance, end + distance + length) === this.#text.slice(end, end + length);
    const left = () => Math.min(this.#text.length - end, text.length - end - distance);
    while (left() >= MAX_COMPARED && isEqual(MAX_COMPARED)) end += MAX_COMPARED;
    for (let length = Math.min(MAX_COMPARED, left()); length > 0; length = Math.floor(length / 2))
      while (left() >= length && isEqual(length)) end += length;
    this.#equal = { text, distance, end };
    return end;
  }
}

/** The place of the next checkpoint: those of an element are in the order of their offsets. */
function indexAfter({ siblings, offset }: Checkpoint): number {
  let [low, high] = [0, siblings.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((siblings[middle] as Checkpoint).offset <= offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Whether an element is one of these or inside of one. Each element is visited once. */
export function insideOf(roots: ReadonlySet<Element>): (element: Element) => boolean {
  const known = new Map<Element, boolean>();
  return (element) => {
    const visited: Element[] = [];
    let at: Element | undefined = element;
    while (at && !known.has(at) && !roots.has(at)) {
      visited.push(at);
      at = parentOf(at);
    }
    const isInside = at !== undefined && (roots.has(at) || known.get(at) === true);
    for (const one of visited) known.set(one, isInside);
    return isInside;
  };
}

export const lastIsText = ({ childNodes }: Element): boolean => {
  const last = childNodes.at(-1);
  return last !== undefined && !isElement(last) && last.nodeName === '#text';
};
