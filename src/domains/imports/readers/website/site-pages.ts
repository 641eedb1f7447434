import type { SitePage } from './site-tree.ts';

/** An imported page, with what its duplicates are recognised by. */
export interface KnownPage extends SitePage {
  readonly url: string;
  readonly title: string;
}

/** The imported pages by the identities of their URLs. */
export class SitePages {
  readonly all: KnownPage[] = [];
  readonly #byIdentity = new Map<string, KnownPage>();
  readonly #byCanonical = new Map<string, KnownPage>();

  /** `canonical`: the identity of the URL that the page states as its own. */
  add(page: KnownPage, identities: readonly string[], canonical: string): void {
    this.all.push(page);
    for (const identity of identities) this.addIdentity(identity, page);
    if (!this.#byCanonical.has(canonical)) this.#byCanonical.set(canonical, page);
  }

  addIdentity(identity: string, page: KnownPage): void {
    if (!this.#byIdentity.has(identity)) this.#byIdentity.set(identity, page);
  }

  pageOf(identity: string): KnownPage | undefined {
    return this.#byIdentity.get(identity);
  }

  /** The page with the same canonical URL. The title must be equal, too: some websites state one URL in all pages. */
  duplicateOf(canonical: string, title: string): KnownPage | undefined {
    const page = this.#byCanonical.get(canonical);
    return page?.title === title ? page : undefined;
  }
}
