import { hash } from 'node:crypto';
import { normaliseUrl } from '../../../../content-engine/html/index.ts';
import { decode } from '../../../../content-engine/links/index.ts';
import { portablePath } from '../../../../content-engine/tree/index.ts';
import { typeOf } from '../../../../platform/files/index.ts';
import { OutboundError } from '../../../../platform/outbound/index.ts';
import type { ImportCollector, ImportWork } from '../../folder/imported-folder.ts';
import { HTTP_CONCURRENCY, HTTP_MS } from '../../limits.ts';
import { labelOf, MAX_URL } from './page-url.ts';
import { runConcurrently, startTimeLimit } from './run-concurrently.ts';

const ASSETS = '.gitbook/assets';
const MAX_DATA_URL = 7 * 1024 * 1024;

/** The extension of a file whose name has none. */
const EXTENSIONS: Readonly<Record<string, string>> = {
  'image/png': '.png',
  'image/jpeg': '.jpg',
  'image/gif': '.gif',
  'image/webp': '.webp',
  'image/avif': '.avif',
  'image/svg+xml': '.svg',
};

/** What links are compared by. `data:` URLs are long, so their hash is. */
export const identityOf = (url: string): string | undefined =>
  url.startsWith('data:') ? `data:${hash('sha256', url, 'base64')}` : normaliseUrl(url);

/** Imports the images of the pages of a website. Those that cannot be read remain links. */
export class ImageReader {
  readonly #work: ImportWork;
  readonly #collector: ImportCollector;
  readonly #isAllowed: (url: URL) => boolean;
  readonly #urls = new Set<string>();

  /** `isAllowed`: by robots.txt. */
  constructor(work: ImportWork, collector: ImportCollector, isAllowed: (url: URL) => boolean) {
    this.#work = work;
    this.#collector = collector;
    this.#isAllowed = isAllowed;
  }

  /** `data:` URLs are stored at once, because they contain their images; others are requested by `read`. */
  async add(url: string): Promise<void> {
    if (url.startsWith('data:')) await this.#addData(url);
    else if (URL.canParse(url) && !this.#urls.has(url)) this.#addLink(url);
  }

  #addLink(url: string): void {
    const { files } = this.#work.limits;
    const isTooLong = url.length > MAX_URL;
    if (isTooLong || this.#urls.size >= files) {
      const reason = isTooLong ? `the URL is longer than ${MAX_URL} characters` : `limit of ${files} files`;
      return this.#collector.skip(labelOf(url), reason);
    }
    this.#urls.add(url);
    this.#collector.found(url);
  }

  async #addData(url: string): Promise<void> {
    const comma = url.indexOf(',');
    const source = labelOf(url);
    if (comma < 0 || url.length > MAX_DATA_URL) return this.#collector.skip(source, 'the image is too large');
    const encoding = /;base64$/i.test(url.slice(Math.max(0, comma - 7), comma)) ? 'base64' : 'utf8';
    await this.#store(source, 'image', Buffer.from(decode(url.slice(comma + 1)), encoding), [url]);
  }

  /** Requests the images that were added. */
  async read(): Promise<void> {
    const limit = startTimeLimit(this.#work.signal, this.#work.deadline.filesUntil);
    const urls = this.#urls.values();
    let refused: string | undefined;
    const read = async (url: string): Promise<void> => {
      if (limit.signal.aborted) refused = 'time limit';
      if (refused !== undefined) return this.#collector.skip(url, refused);
      const isAdded = await this.#request(new URL(url), url, limit.signal);
      if (!isAdded) refused = 'limit of files';
    };
    const readNext = (): Promise<void> | undefined => {
      const { value: url, done } = urls.next();
      return done ? undefined : read(url);
    };
    try {
      await runConcurrently(HTTP_CONCURRENCY, readNext, limit.abort);
    } finally {
      limit.end();
    }
  }

  /** False: the limit of files is reached. */
  async #request(url: URL, source: string, signal: AbortSignal): Promise<boolean> {
    const skip = (reason: string): true => {
      this.#collector.skip(source, reason);
      return true;
    };
    if (!this.#isAllowed(url)) return skip('robots.txt');
    const limits = { maxBytes: this.#work.limits.fileBytes, timeoutMs: HTTP_MS };
    try {
      const { status, body, ...answer } = await this.#work.outbound.fetch(source, {
        ...limits,
        accept: 'image/*',
        signal,
        mayFollow: this.#isAllowed,
      });
      if (status !== 200) return skip(`The remote server returned ${status}.`);
      return await this.#store(source, nameOf(url), body, [answer.url]);
    } catch (error) {
      this.#work.signal.throwIfAborted();
      if (error instanceof OutboundError) return skip(error.message);
      if (signal.aborted) return skip('time limit');
      throw error;
    }
  }

  async #store(source: string, name: string, bytes: Buffer, aliases: readonly string[]): Promise<boolean> {
    const type = typeOf(bytes, name);
    if (!type.startsWith('image/')) {
      this.#collector.skip(source, 'is not an image');
      return true;
    }
    const file = /\.\w{2,5}$/.test(name) ? name : name + (EXTENSIONS[type] ?? '');
    return this.#collector.addFile(portablePath(`${ASSETS}/${file}`), source, bytes, aliases);
  }
}

function nameOf({ pathname }: URL): string {
  const name = decode(pathname.slice(pathname.lastIndexOf('/') + 1)).replaceAll('/', '-');
  return name.replace(/^[.\s]+/, '') || 'image';
}
