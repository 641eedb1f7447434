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

/**
 * Where the links of a document lead: href as it is spelled → target. Only what leads to an entry is in the table. A file
 * among them may be an unlisted one, which is no target in the space: the link is to lead there when the page moves.
 */
export type LinkTable = Readonly<Record<string, ContentRef>>;

/** The id of an entry: other text in its place is an address, or nothing. */
export const isId = (text: string): boolean => /^[a-zA-Z0-9]{1,40}$/.test(text);

/** How a browser reads the scheme of an address: control characters and white space before and in it do not count. */
const schemeOf = (url: string): string | undefined =>
  /^([a-z][a-z0-9+.-]*):/i.exec(url.replaceAll(/^[\0-\x20]+|[\t\n\r]/g, ''))?.[1]?.toLowerCase();

/** Whether an address leads somewhere without doing anything: `javascript:` and the like do not. Paths have no scheme. */
export function isSafeUrl(
  url: string,
  schemes: readonly string[] = ['http', 'https', 'mailto', 'tel'],
): boolean {
  const scheme = schemeOf(url);
  return scheme === undefined || schemes.includes(scheme);
}
