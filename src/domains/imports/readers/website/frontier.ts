import { hash } from 'node:crypto';

export interface FoundUrl {
  readonly url: string;
  /** `normaliseUrl` of it. */
  readonly identity: string;
}

/**
 * The URLs that were found: those of navigations are visited first, then those of contents, each in the order in which
 * they were found. Memory is bounded, however many URLs a website generates: `maxQueued` URLs are stored, five times
 * as many are distinguished by their hashes.
 */
export class Frontier {
  readonly maxQueued: number;
  readonly #seen = new Set<string>();
  readonly #listed: FoundUrl[] = [];
  readonly #linked: FoundUrl[] = [];
  #nextListed = 0;
  #nextLinked = 0;

  constructor(maxQueued: number) {
    this.maxQueued = maxQueued;
  }

  get maxCounted(): number {
    return this.maxQueued * 5;
  }

  /** Whether further URLs cannot be distinguished, and are not counted. */
  get isFull(): boolean {
    return this.#seen.size >= this.maxCounted;
  }

  has(identity: string): boolean {
    return this.#seen.has(shortHash(identity));
  }

  /** Marks a URL as seen. False: it was seen before, or cannot be counted. */
  see(identity: string): boolean {
    const key = shortHash(identity);
    if (this.isFull || this.#seen.has(key)) return false;
    this.#seen.add(key);
    return true;
  }

  /** Queues a URL. False: too many are queued. */
  add(found: FoundUrl, isListed: boolean): boolean {
    if (this.#listed.length + this.#linked.length >= this.maxQueued) return false;
    (isListed ? this.#listed : this.#linked).push(found);
    return true;
  }

  next(): FoundUrl | undefined {
    if (this.#nextListed < this.#listed.length) return this.#listed[this.#nextListed++];
    return this.#nextLinked < this.#linked.length ? this.#linked[this.#nextLinked++] : undefined;
  }

  /** The URLs that were not visited. */
  rest(): readonly FoundUrl[] {
    return [...this.#listed.slice(this.#nextListed), ...this.#linked.slice(this.#nextLinked)];
  }
}

/** 66 bits: two of 100,000 URLs are mistaken for one another once in ten billion imports. */
const shortHash = (text: string): string => hash('sha256', text, 'base64').slice(0, 11);
