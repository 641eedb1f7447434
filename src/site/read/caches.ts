import { LRUCache } from 'lru-cache';
import type { Cache } from '../../platform/access/cache.ts';
import type { PageAnswer } from '../../platform/http/pages/page.ts';
import { LARGE_ANSWER } from '../../platform/http/answer/slow-readers.ts';
import type { SharedWork } from '../../platform/shared-work.ts';
import { createFairQueue, type FairQueue } from '../../platform/threads/fair-queue.ts';
import type { AssetCatalog } from '../assets/catalog.ts';
import { openAssets } from '../assets/open.ts';
import type { PublishedSite, ReaderCustomization } from './published-site.ts';

/** A response that was made once for all visitors of a class. */
export interface CachedPage {
  readonly body: Buffer;
  readonly etag: string;
  readonly type: string;
  /** The policy with `ORIGIN` in place of the host. */
  readonly policy: string;
  /** The revisions that it shows, by space, and the state of specifications that it shows. It is current while the spaces show them. */
  readonly revisions: ReadonlyMap<string, string>;
  /** Ids of the files that it shows, with their spaces: `<space>/<file>`. */
  readonly files: ReadonlySet<string>;
  readonly page: { readonly spaceId: string; readonly pageId: string } | undefined;
  brotli?: Buffer;
  gzip?: Buffer;
}

/** A response that every visitor gets. It is current while the site is the cached one. */
export interface ReadyAnswer {
  readonly site: PublishedSite;
  readonly page: CachedPage['page'];
  readonly answer: PageAnswer;
}

interface Loading {
  readonly begun: number;
  readonly site: Promise<PublishedSite | undefined>;
}

export interface SiteCaches {
  /** Rows, dropped by the tags of what changed. */
  readonly rows: Cache;
  readonly loading: Map<string, Loading>;
  readonly pages: LRUCache<string, CachedPage>;
  /** Settings of site spaces, by the version of their site. */
  readonly customizations: LRUCache<string, ReaderCustomization>;
  /** Those that are being made. */
  readonly making: WeakMap<PublishedSite, SharedWork<CachedPage>>;
  /** Answers by host, encoding and address. Their bodies are those of `pages`. */
  readonly ready: LRUCache<string, ReadyAnswer>;
  /** Pictures are drawn one at a time: each takes a core for a moment, and pages need it more. By organization. */
  readonly drawings: FairQueue;
  /** Style sheets, scripts, fonts and icons; opened when the first page needs them. */
  assets(): AssetCatalog;
}

const MAX_BYTES = 48 * 1024 * 1024;
/** The limit of a body. Larger ones are not cached. */
export const MAX_KEPT_BYTES = 8 * 1024 * 1024;
/** Compressed copies, which are made later, are about half of the body. */
const sizeOf = (bytes: number): number => Math.ceil(bytes * 1.5) + 2048;
const MAX_READY_BYTES = 16 * 1024 * 1024;
/** Pictures that may wait, of all organizations and of one. Programs that collect links ask for a few at a time. */
const MAX_PICTURES = 200;
const MAX_OWN_PICTURES = 20;
const MAX_CUSTOMIZATION_BYTES = 8 * 1024 * 1024;

declare module '../../platform/api/context.ts' {
  interface Caches {
    readonly sites: SiteCaches;
  }
}

/** `assets` is the folder that the build has filled. */
export function createSiteCaches(rows: Cache, assets: string): SiteCaches {
  let opened: AssetCatalog | undefined;
  return {
    rows,
    loading: new Map(),
    making: new WeakMap(),
    drawings: createFairQueue(1, MAX_PICTURES, { waiting: MAX_OWN_PICTURES }),
    assets: () => (opened ??= openAssets(assets)),
    ready: new LRUCache({
      maxSize: MAX_READY_BYTES,
      // Larger ones are sent by the router.
      maxEntrySize: LARGE_ANSWER,
      sizeCalculation: ({ answer: { body } }, key) =>
        (Buffer.isBuffer(body) ? body.length : 0) + key.length + 2048,
    }),
    customizations: new LRUCache({ maxSize: MAX_CUSTOMIZATION_BYTES }),
    pages: new LRUCache({
      maxSize: MAX_BYTES,
      maxEntrySize: sizeOf(MAX_KEPT_BYTES),
      sizeCalculation: ({ body }, key) => sizeOf(body.length) + key.length,
    }),
  };
}
