import { LRUCache } from 'lru-cache';
import type { Cache } from '../../platform/access/cache.ts';
import type { AssetCatalog } from '../assets/catalog.ts';
import { openAssets } from '../assets/open.ts';
import { createDrawings, type Drawings } from './drawings.ts';
import type { PublishedSite } from './published-site.ts';

/** A response that was made once for all visitors of a class. */
export interface CachedPage {
  readonly body: Buffer;
  readonly etag: string;
  readonly type: string;
  /** With `ORIGIN` in place of the host. */
  readonly policy: string;
  /** The revisions that it shows, by space. It is current while the spaces show them. */
  readonly revisions: ReadonlyMap<string, string>;
  /** Ids of the files that it shows, with their spaces: `<space>/<file>`. */
  readonly files: ReadonlySet<string>;
  readonly page: { readonly spaceId: string; readonly pageId: string } | undefined;
  brotli?: Buffer;
  gzip?: Buffer;
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
  readonly drawings: Drawings;
  /** Style sheets, scripts, fonts and icons; opened when the first page needs them. */
  assets(): AssetCatalog;
}

const MAX_BYTES = 48 * 1024 * 1024;

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
    drawings: createDrawings(),
    assets: () => (opened ??= openAssets(assets)),
    pages: new LRUCache({
      maxSize: MAX_BYTES,
      maxEntrySize: MAX_BYTES / 8,
      // Compressed copies, which are made later, are about half of it.
      sizeCalculation: ({ body }) => Math.ceil(body.length * 1.5) + 2048,
    }),
  };
}
