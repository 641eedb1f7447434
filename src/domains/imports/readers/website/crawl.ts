import { normaliseUrl, type ConvertedPage, type Generator } from '../../../../content-engine/html/index.ts';
import type { OutlineRow } from '../../../../content-engine/folder/index.ts';
import { slugOf } from '../../../../content-engine/tree/index.ts';
import { OutboundError } from '../../../../platform/outbound/index.ts';
import { createCollector } from '../../folder/collector.ts';
import type { ImportCollector, ImportWork } from '../../folder/imported-folder.ts';
import { HTTP_CONCURRENCY } from '../../limits.ts';
import { failureOfSize, type PageFailure } from '../page-failure.ts';
import { createBatches } from './convert-batches.ts';
import { fetchPage, type FetchedPage } from './fetch-page.ts';
import { Frontier, type FoundUrl } from './frontier.ts';
import { identityOf, ImageReader } from './images.ts';
import { labelOf, mayBePage, trapIn } from './page-url.ts';
import { createPacer, type Pacer } from './politeness.ts';
import { runConcurrently, type TimeLimit } from './run-concurrently.ts';
import { SitePages, type KnownPage } from './site-pages.ts';
import { SiteTree } from './site-tree.ts';
import type { Start } from './start.ts';

/** Pages that are requested or converted at the same time. Pages that are converted together share their navigation. */
const PAGES_AT_ONCE = 32;
/** URLs that are remembered, whatever the limit of pages is. */
const MIN_QUEUE = 20_000;
const MAX_REDIRECTS = 10;
/** Longer links are parsed again. */
const MAX_KNOWN_LINK = 300;

/** The visit of one website, after its start page was read. */
export class Crawl {
  readonly collector: ImportCollector;
  readonly images: ImageReader;
  readonly pages = new SitePages();
  readonly #work: ImportWork;
  readonly #start: Start;
  readonly #limit: TimeLimit;
  readonly #generator: Generator | undefined;
  readonly #frontier: Frontier;
  readonly #tree = new SiteTree();
  readonly #pacer: Pacer;
  readonly #convert: ReturnType<typeof createBatches>;
  /** Links as written, so that those of every page's navigation are parsed once. */
  readonly #knownLinks = new Set<string>();
  /** The navigation whose links were queued last. */
  #followed: ConvertedPage['navigation'] | undefined;
  /** Redirects to URLs that are visited by themselves. */
  readonly #redirects = new Map<string, FoundUrl & { readonly to: string }>();
  /** Whether the navigation of the start page lists pages that are out of scope. */
  #hasPagesBeside = false;
  #startText: string | undefined;
  #inWork = 0;
  /** Why no more pages are requested. */
  #stopReason: string | undefined;

  constructor(work: ImportWork, start: Start, limit: TimeLimit, generator: Generator | undefined) {
    const { robots, scope } = start;
    this.#work = work;
    this.#start = start;
    this.#limit = limit;
    this.#generator = generator;
    this.#frontier = new Frontier(Math.max(MIN_QUEUE, 2 * work.limits.pages));
    this.#pacer = createPacer(HTTP_CONCURRENCY, robots.delayMs, limit.signal);
    this.#convert = createBatches(work.convert);
    this.collector = createCollector(work, identityOf);
    const { origin } = new URL(scope.root);
    this.images = new ImageReader(work, this.collector, (url) => url.origin !== origin || robots.allows(url));
  }

  /** Converts and adds the start page. Returns the reason if it is no page. */
  async readStart(): Promise<PageFailure | undefined> {
    const { page } = this.#start;
    const identity = normaliseUrl(page.url) ?? page.url;
    this.#frontier.see(identity);
    const converted = await this.#convertPage(page);
    if ('failure' in converted) return converted;
    this.#hasPagesBeside = converted.navigation.some(({ url }) => url !== undefined && this.#isBeside(url));
    this.#startText = converted.markdown;
    await this.#add({ url: page.url, identity }, page.url, converted);
    return undefined;
  }

  #isBeside(url: string): boolean {
    const { scope } = this.#start;
    const identity = normaliseUrl(url);
    if (identity === undefined || scope.contains(identity)) return false;
    return new URL(identity).origin === new URL(scope.root).origin;
  }

  /** Reads all pages that links lead to. What was not read is counted. */
  async readLinked(): Promise<void> {
    await runConcurrently(PAGES_AT_ONCE, () => this.#visitNext(), this.#limit.abort);
    const { pages } = this.#work.limits;
    for (const { url } of this.#frontier.rest()) {
      this.collector.skip(url, this.#stopReason ?? `limit of ${pages} pages`);
    }
    this.#resolveRedirects();
    if (this.#frontier.isFull) {
      const count = this.#frontier.maxCounted;
      this.collector.skip(
        `${this.#start.scope.root}/…`,
        `at least ${count} URLs; further ones are not counted`,
      );
    }
    if (this.#hasPagesBeside && this.pages.all.length === 1) {
      const folder = new URL('.', this.#start.page.url).href;
      this.collector.skip(
        folder,
        `only pages below the start URL are imported; start at ${folder} for others`,
      );
    }
  }

  #resolveRedirects(): void {
    for (const { url, identity } of this.#redirects.values()) {
      const page = this.#targetOf(identity);
      if (page) {
        this.pages.addIdentity(identity, page);
        this.collector.addAlias(url, page.url);
      } else this.collector.skip(url, 'redirects to a page that is not imported');
    }
  }

  #targetOf(identity: string): KnownPage | undefined {
    let to: string | undefined = identity;
    for (let redirects = 0; to !== undefined && redirects <= MAX_REDIRECTS; redirects++) {
      const page = this.pages.pageOf(to);
      if (page) return page;
      to = this.#redirects.get(to)?.to;
    }
    return undefined;
  }

  outline(): OutlineRow[] {
    const { scope, page } = this.#start;
    const pageOf = (identity: string) => this.pages.pageOf(identity);
    const start = pageOf(normaliseUrl(page.url) ?? '');
    const addSection = (title: string, parentPath = 'README.md') => {
      const dir = parentPath === 'README.md' ? '' : `${parentPath.replace(/\.md$/, '')}/`;
      const path = this.collector.freePath(`${dir}${slugOf(title)}.md`);
      this.collector.addSetting(path, new Uint8Array());
      return path;
    };
    return this.#tree.outline({ pages: this.pages.all, pageOf, start, root: scope.root, addSection });
  }

  #visitNext(): Promise<void> | undefined {
    const { deadline, limits } = this.#work;
    if (performance.now() >= deadline.pagesUntil) this.#stopReason ??= 'time limit';
    const isAtLimit = this.pages.all.length + this.#inWork >= limits.pages;
    const found = this.#stopReason !== undefined || isAtLimit ? undefined : this.#frontier.next();
    if (!found) return undefined;
    this.#inWork++;
    return this.#visit(found).finally(() => this.#inWork--);
  }

  async #visit(found: FoundUrl): Promise<void> {
    const skip = (reason: string) => this.collector.skip(found.url, reason);
    if (!this.#start.robots.allows(new URL(found.url))) return skip('robots.txt');
    try {
      const fetched = await fetchPage(found.url, {
        outbound: this.#work.outbound,
        pacer: this.#pacer,
        signal: this.#limit.signal,
        mayFollow: (url) => this.#mayFollow(url, found),
      });
      if ('refusal' in fetched) return skip(fetched.refusal.message);
      if ('redirect' in fetched) return this.#redirected(found, fetched.redirect);
      const converted = await this.#convertPage(fetched.page);
      if ('failure' in converted) return skip(converted.failure);
      await this.#add(found, fetched.page.url, converted);
    } catch (error) {
      this.#work.signal.throwIfAborted();
      if (error instanceof OutboundError) return skip(error.message);
      if (this.#limit.signal.aborted) return skip('time limit');
      throw error;
    }
  }

  /** A redirect to a page that is visited by itself is not followed. */
  #mayFollow(url: URL, found: FoundUrl): boolean {
    const { scope, robots } = this.#start;
    const identity = normaliseUrl(url);
    if (identity === undefined || !scope.contains(identity) || !robots.allows(url)) return false;
    return identity === found.identity || !this.#frontier.has(identity);
  }

  /** Follows a redirect in the text of a page, which robots may not index: the target is visited separately. */
  #redirectedTo(from: FoundUrl, target: string, isNoFollow: boolean): void {
    if (!isNoFollow) this.#find(target, true);
    this.#redirected(from, new URL(target));
  }

  #redirected(from: FoundUrl, target: URL): void {
    const { scope, robots } = this.#start;
    const to = normaliseUrl(target);
    if (to === undefined || !scope.contains(to)) {
      this.collector.skip(from.url, 'redirects outside of the start URL');
    } else if (!robots.allows(target)) {
      this.collector.skip(from.url, 'robots.txt');
    } else {
      this.#redirects.set(from.identity, { ...from, to });
    }
  }

  async #convertPage({ kind, bytes, url, contentType }: FetchedPage): Promise<ConvertedPage | PageFailure> {
    const release = this.#pacer.hold(bytes.length);
    const outcome = await this.#convert({
      kind,
      bytes,
      url,
      ...(contentType === undefined ? {} : { contentType }),
      ...(this.#generator === undefined ? {} : { generator: this.#generator }),
    }).finally(release);
    if ('failure' in outcome) return outcome;
    return failureOfSize(outcome.page) ?? outcome.page;
  }

  async #add(found: FoundUrl, url: string, page: ConvertedPage): Promise<void> {
    this.#tree.merge(page.navigation);
    this.#tree.merge(page.contents, this.#isOverview(url) ? undefined : url);
    if (!page.robots.noFollow) {
      // Pages that were converted together share their navigation.
      if (page.navigation !== this.#followed) for (const item of page.navigation) this.#find(item.url, true);
      this.#followed = page.navigation;
      for (const item of page.contents) this.#find(item.url, true);
      for (const link of page.links) this.#find(link, false);
    }
    if (page.redirect !== undefined) return this.#redirectedTo(found, page.redirect, page.robots.noFollow);
    if (page.isFrame) return this.collector.skip(found.url, 'the page only lists the others');
    if (page.robots.noIndex) return this.collector.skip(found.url, 'the page excludes robots (noindex)');
    const final = normaliseUrl(url) ?? found.identity;
    const canonical = this.#canonicalOf(page) ?? final;
    const duplicate =
      this.pages.duplicateOf(canonical, page.title) ??
      this.pages.pageOf(final) ??
      (page.generator === 'mdbook' ? this.#copyOfStart(page) : undefined);
    if (duplicate) {
      for (const identity of [found.identity, final]) this.pages.addIdentity(identity, duplicate);
      return this.collector.addAlias(found.url, duplicate.url);
    }
    const identity = this.#frontier.see(canonical) ? canonical : final;
    this.#frontier.see(final);
    const path = this.collector.freePath(this.#start.scope.pathOf(identity));
    if (!this.collector.addPage(path, found.url, page, [url, identity])) {
      this.#stopReason ??= this.#limitReached();
      return;
    }
    const known = { identity, path, url: found.url, title: page.title };
    this.pages.add(known, [identity, found.identity, final], canonical);
    for (const image of page.images) await this.images.add(image);
  }

  /** The start page of mdBook is a copy of the first chapter. Only that one is in the navigation. */
  #copyOfStart({ markdown }: ConvertedPage): KnownPage | undefined {
    return this.#startText === markdown ? this.pages.all[0] : undefined;
  }

  /** Whether the contents of a page are those of the website: of the start page, or of the page that Sphinx names so. */
  #isOverview(url: string): boolean {
    const identity = normaliseUrl(url);
    const start = normaliseUrl(this.#start.page.url);
    return identity === start || identity === `${this.#start.scope.root}/contents`;
  }

  #canonicalOf({ canonical }: ConvertedPage): string | undefined {
    const identity = canonical === undefined ? undefined : normaliseUrl(canonical);
    if (identity === undefined || !this.#start.scope.contains(identity)) return undefined;
    return mayBePage(new URL(identity)) ? identity : undefined;
  }

  #limitReached(): string {
    const { pages, textBytes } = this.#work.limits;
    const isOfPages = this.pages.all.length >= pages;
    return isOfPages ? `limit of ${pages} pages` : `limit of ${Math.floor(textBytes / 2 ** 20)} MB of text`;
  }

  /** Queues a link if it leads to a page of the website that is not known. */
  #find(link: string | undefined, isListed: boolean): void {
    if (link === undefined || this.#knownLinks.has(link)) return;
    if (this.#knownLinks.size < MIN_QUEUE && link.length <= MAX_KNOWN_LINK) this.#knownLinks.add(link);
    const identity = normaliseUrl(link);
    if (identity === undefined || !this.#start.scope.contains(identity)) return;
    const url = new URL(link);
    url.hash = '';
    if (!mayBePage(url) || !this.#frontier.see(identity)) return;
    const trap = trapIn(url);
    if (trap === undefined && this.#frontier.add({ url: url.href, identity }, isListed)) {
      this.collector.found(url.href);
    } else {
      this.collector.skip(labelOf(url.href), trap ?? `limit of ${this.#work.limits.pages} pages`);
    }
  }
}
