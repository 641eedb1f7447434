/** What a link, a cover or an include points at, by id: the form of the API. */
export type ContentRef =
  | { readonly kind: 'file'; readonly file: string; readonly space?: string }
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'page'; readonly page: string; readonly space?: string }
  | { readonly kind: 'anchor'; readonly anchor: string; readonly page?: string; readonly space?: string }
  | { readonly kind: 'user'; readonly user: string }
  | { readonly kind: 'collection'; readonly collection: string }
  | { readonly kind: 'space'; readonly space: string }
  | { readonly kind: 'reusable-content'; readonly reusableContent: string; readonly space?: string }
  | { readonly kind: 'openapi'; readonly spec: string }
  | { readonly kind: 'tag'; readonly tag: string; readonly space?: string };

/** Where the links of a document lead: href as it is spelled → target. Only what leads to an entry is in the table. */
export type LinkTable = Readonly<Record<string, ContentRef>>;
