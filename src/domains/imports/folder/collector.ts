import {
  freePaths,
  splitPage,
  type FolderFile,
  type OutlineRow,
} from '../../../content-engine/folder/index.ts';
import type { ConvertedPage, PageAnalysis } from '../../../content-engine/html/index.ts';
import {
  bodyAnalysisOf,
  updateFrontmatter,
  type BodyAnalysis,
} from '../../../content-engine/markdown/index.ts';
import { foldPath } from '../../../content-engine/tree/index.ts';
import { MAX_SOURCE } from '../../content/index.ts';
import { ImportError } from './imported-folder.ts';
import type { ImportCollector, ImportedFolder, ImportWork, Skipped } from './imported-folder.ts';
import { linksOf, relink } from './relink.ts';

/** The identity of an absolute URL: URLs with the same identity are one resource. */
export type IdentityOf = (url: string) => string | undefined;

const withoutFragment: IdentityOf = (url) => url.replace(/#.*/s, '');

/** Sources beyond this are counted when they are added or skipped, and not remembered. */
const MAX_REMEMBERED = 100_000;

/** Places that every page in a browser has: its top, and words to highlight. */
const ANY_PAGE = /^(?:top$|:~:)/i;

const megabytes = (bytes: number): string => `${Math.floor(bytes / 1024 / 1024)} MB`;

interface CollectedPage {
  readonly path: string;
  /** The base of its relative links. */
  readonly base: string;
  readonly markdown: string;
  readonly analysis: PageAnalysis;
  /** The description of a page that was HTML. */
  readonly description?: string | undefined;
}

type State = 'found' | 'imported' | 'skipped';

export const createCollector = (
  work: ImportWork,
  identityOf: IdentityOf = withoutFragment,
): ImportCollector => new Collector(work, identityOf);

/** SUMMARY.md may list groups, links and pages again beside the pages. */
const ENTRIES_PER_PAGE = 2;

class Collector implements ImportCollector {
  readonly #work: ImportWork;
  readonly #identityOf: IdentityOf;
  readonly #states = new Map<string, State>();
  readonly #skipped: Skipped[] = [];
  readonly #pages: CollectedPage[] = [];
  readonly #files: FolderFile[] = [];
  readonly #sources = new Map<string, string>();
  /** Paths by the identities of their URLs. */
  readonly #targets = new Map<string, string>();
  /** The anchors by id of the pages that were HTML, by path. */
  readonly #anchors = new Map<string, ReadonlyMap<string, string>>();
  /** How many pages have a description. */
  readonly #descriptions = new Map<string, number>();
  readonly #taken = new Set<string>();
  readonly #free = freePaths({ has: (path) => this.#taken.has(foldPath(path)) });
  #pending = 0;
  #skippedCount = 0;
  #fileCount = 0;
  #fileBytes = 0;
  #textBytes = 0;

  constructor(work: ImportWork, identityOf: IdentityOf) {
    this.#work = work;
    this.#identityOf = identityOf;
  }

  found(source: string): void {
    if (this.#states.has(source) || this.#states.size >= MAX_REMEMBERED) return;
    this.#states.set(source, 'found');
    this.#pending++;
  }

  skip(source: string, reason: string): void {
    if (!this.#settle(source, 'skipped')) return;
    this.#skippedCount++;
    if (this.#skipped.length < this.#work.limits.listed) this.#skipped.push({ source, reason });
    this.#report(source);
  }

  addAlias(source: string, of: string): void {
    if (this.#states.get(source) === 'found') {
      this.#states.delete(source);
      this.#pending--;
    }
    const path = this.#pathOf(of);
    if (path !== undefined) this.#remember(path, [source]);
  }

  freePath(path: string): string {
    const free = this.#free(path);
    this.#taken.add(foldPath(free));
    return free;
  }

  addPage(path: string, source: string, page: ConvertedPage, aliases: readonly string[]): boolean {
    const { limits } = this.#work;
    const size = Buffer.byteLength(page.markdown);
    if (this.#pages.length >= limits.pages) return this.#refuse(source, `limit of ${limits.pages} pages`);
    if (this.#textBytes + size > limits.textBytes)
      return this.#refuse(source, `limit of ${megabytes(limits.textBytes)} of text`);
    if (size > MAX_SOURCE) {
      this.skip(source, `the page exceeds ${megabytes(MAX_SOURCE)} of Markdown`);
      return true;
    }
    if (this.#sources.has(path)) {
      this.skip(source, `another page has the path ${path}`);
      return true;
    }
    this.#taken.add(foldPath(path));
    this.#textBytes += size;
    const base = [source, ...aliases].find((url) => URL.canParse(url)) ?? '';
    const { markdown, analysis, anchorsById } = page;
    const description = anchorsById && page.description;
    this.#pages.push({ path, base, markdown, analysis, description });
    if (description !== undefined)
      this.#descriptions.set(description, (this.#descriptions.get(description) ?? 0) + 1);
    if (anchorsById) this.#anchors.set(path, anchorsById);
    this.#imported(path, source, aliases);
    for (const what of page.lost ?? []) this.skip(`${source}: ${what}`, 'has no form in Markdown');
    return true;
  }

  async addFile(
    path: string,
    source: string,
    bytes: Uint8Array,
    aliases: readonly string[],
  ): Promise<boolean> {
    const { limits } = this.#work;
    if (this.#fileCount >= limits.files) return this.#refuse(source, `limit of ${limits.files} files`);
    if (this.#fileBytes + bytes.length > limits.filesBytes)
      return this.#refuse(source, `limit of ${megabytes(limits.filesBytes)} of files`);
    if (bytes.length > limits.fileBytes) {
      this.skip(source, `the file exceeds ${megabytes(limits.fileBytes)}`);
      return true;
    }
    // Counted and reserved before waiting: files are added concurrently.
    this.#fileCount++;
    this.#fileBytes += bytes.length;
    const free = this.freePath(path);
    const stored = await this.#work.storeFile(free.slice(free.lastIndexOf('/') + 1), bytes);
    this.#files.push({ path: free, stored });
    this.#imported(free, source, aliases);
    return true;
  }

  addSetting(path: string, bytes: Uint8Array): void {
    const { textBytes } = this.#work.limits;
    // Its entries would need hundreds of megabytes of memory.
    if (bytes.length > MAX_SOURCE) return this.skip(path, `the file exceeds ${megabytes(MAX_SOURCE)}`);
    this.#textBytes += bytes.length;
    if (this.#textBytes > textBytes)
      throw new ImportError(413, `The settings and pages exceed ${megabytes(textBytes)} of text at ${path}.`);
    this.#taken.add(foldPath(path));
    this.#files.push({ path, bytes });
  }

  finish(outline?: readonly OutlineRow[]): ImportedFolder {
    const analyses = new Map<string, BodyAnalysis>();
    const pages = this.#finishPages(analyses);
    for (const [source, state] of this.#states) if (state === 'found') this.skip(source, 'was not read');
    return {
      files: [...pages, ...this.#files],
      ...(outline && { outline }),
      maxEntries: ENTRIES_PER_PAGE * this.#work.limits.pages,
      analyses,
      sources: this.#sources,
      found: this.#sources.size + this.#skippedCount,
      imported: this.#sources.size,
      skipped: this.#skipped,
      skippedCount: this.#skippedCount,
    };
  }

  /** The text of a page is released when its bytes are made. */
  #finishPages(analyses: Map<string, BodyAnalysis>): FolderFile[] {
    const files: FolderFile[] = [];
    const targets = {
      pathOf: (url: string) => this.#pathOf(url),
      anchorOf: (path: string, id: string) => this.#anchorOf(path, id),
    };
    for (let page = this.#pages.shift(); page !== undefined; page = this.#pages.shift()) {
      const { path, base, analysis } = page;
      const markdown = this.#withOwnDescription(page);
      const links = linksOf(path, base, analysis.hrefs, targets);
      const { body } = links.size === 0 ? { body: '' } : splitPage(markdown);
      const head = markdown.slice(0, markdown.length - body.length);
      const relinked = relink(body, analysis, links);
      files.push({ path, bytes: Buffer.from(head + relinked.body, 'utf8') });
      analyses.set(path, bodyAnalysisOf(relinked.analysis));
    }
    return files;
  }

  /** Many generators give pages without a description that of the site, which says nothing about them. */
  #withOwnDescription({ markdown, description }: CollectedPage): string {
    if (description === undefined || this.#descriptions.get(description) === 1) return markdown;
    return updateFrontmatter(markdown, { description: undefined }).trimStart();
  }

  #pathOf(url: string): string | undefined {
    const identity = this.#identityOf(url);
    return identity === undefined ? undefined : this.#targets.get(identity);
  }

  /** Markdown states its anchors itself. An id that a page does not have is kept: the link is broken. */
  #anchorOf(path: string, id: string): string {
    const anchors = this.#anchors.get(path);
    return anchors?.get(id) ?? (anchors && ANY_PAGE.test(id) ? '' : id);
  }

  #imported(path: string, source: string, aliases: readonly string[]): void {
    this.#settle(source, 'imported');
    for (const alias of aliases) if (alias !== source) this.addAlias(alias, source);
    this.#sources.set(path, source);
    this.#remember(path, [source, ...aliases]);
    this.#report(source);
  }

  /** False: it was skipped or imported before. */
  #settle(source: string, state: 'imported' | 'skipped'): boolean {
    const before = this.#states.get(source);
    if (before !== undefined && before !== 'found') return false;
    if (before === 'found') this.#pending--;
    if (before === 'found' || this.#states.size < MAX_REMEMBERED) this.#states.set(source, state);
    return true;
  }

  /** The first resource with an identity keeps it. */
  #remember(path: string, urls: readonly string[]): void {
    for (const url of urls) {
      const identity = this.#identityOf(url);
      if (identity !== undefined && !this.#targets.has(identity)) this.#targets.set(identity, path);
    }
  }

  #refuse(source: string, reason: string): false {
    this.skip(source, reason);
    return false;
  }

  #report(current: string): void {
    this.#work.report({
      found: this.#pending + this.#sources.size + this.#skippedCount,
      imported: this.#sources.size,
      skipped: this.#skippedCount,
      current,
    });
  }
}
