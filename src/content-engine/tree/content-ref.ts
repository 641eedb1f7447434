/** The target of a link, a cover or an include, by id, as in the API. */
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

/**
 * The link targets of a document: href as written → target. Contains only links to entries. A target may be an
 * unlisted file, which is not part of the space: the link is adjusted when the page moves.
 */
export type LinkTable = Readonly<Record<string, ContentRef>>;

/** Whether a text has the form of an entry id. */
export const isId = (text: string): boolean => /^[a-zA-Z0-9]{1,40}$/.test(text);

/** The scheme of a URL as browsers parse it: they ignore control characters and white space before and in it. */
const schemeOf = (url: string): string | undefined =>
  /^([a-z][a-z0-9+.-]*):/i.exec(url.replaceAll(/^[\0-\x20]+|[\t\n\r]/g, ''))?.[1]?.toLowerCase();

/** Whether a URL only navigates, unlike `javascript:`. Paths have no scheme, and are safe. */
export function isSafeUrl(
  url: string,
  schemes: readonly string[] = ['http', 'https', 'mailto', 'tel'],
): boolean {
  const scheme = schemeOf(url);
  return scheme === undefined || schemes.includes(scheme);
}
