import { attribute, find, findAll, textOf, type Document, type Element } from './dom.ts';

/** The metadata in the `<head>` of a page. */
export interface Metadata {
  /** `og:title`. */
  readonly ogTitle: string | undefined;
  readonly siteName: string | undefined;
  /** `<title>`. */
  readonly title: string | undefined;
  readonly description: string | undefined;
  /** As written. */
  readonly canonical: string | undefined;
  readonly base: string | undefined;
  /** Where the browser is sent at once. As written. */
  readonly refresh: string | undefined;
  readonly robots: { readonly noIndex: boolean; readonly noFollow: boolean };
}

export function metadataOf(page: Document): Metadata {
  // Where it is, the parser has moved the metadata there.
  const document = find(page, ({ tagName }) => tagName === 'head') ?? page;
  const metas = findAll(document, ({ tagName }) => tagName === 'meta');
  const meta = (...names: string[]): string | undefined =>
    names.map((name) => contentOf(metas, name)).find((content) => content !== undefined);
  const title = find(
    document,
    ({ tagName, namespaceURI }) => tagName === 'title' && !namespaceURI.includes('svg'),
  );
  const canonical = find(
    document,
    (element) => element.tagName === 'link' && attribute(element, 'rel')?.toLowerCase() === 'canonical',
  );
  const base = find(
    document,
    (element) => element.tagName === 'base' && attribute(element, 'href') !== undefined,
  );
  const robots = `${meta('robots') ?? ''},${meta('octavo') ?? ''}`.toLowerCase();
  return {
    ogTitle: meta('og:title'),
    siteName: meta('og:site_name', 'application-name'),
    title: title && childText(title),
    description: meta('description', 'og:description')?.replace(NO_DESCRIPTION, '') || undefined,
    canonical: canonical && attribute(canonical, 'href'),
    base: base && attribute(base, 'href'),
    refresh: refreshIn(metas),
    robots: { noIndex: /\b(?:noindex|none)\b/.test(robots), noFollow: /\b(?:nofollow|none)\b/.test(robots) },
  };
}

/** `<meta http-equiv="refresh" content="0; url=…">`. Others show the page for a while, or load it again. */
function refreshIn(metas: readonly Element[]): string | undefined {
  const found = metas.find((meta) => attribute(meta, 'http-equiv')?.toLowerCase() === 'refresh');
  return /^\s*[0-3](?:\.\d*)?\s*[;,]\s*url\s*=\s*['"]?([^'"]+)/i.exec(
    (found && attribute(found, 'content')) ?? '',
  )?.[1];
}

/** The description that themes of MkDocs write for a site without one. */
const NO_DESCRIPTION = /^None$/;

const contentOf = (metas: readonly Element[], name: string): string | undefined => {
  const found = metas.find(
    (meta) => (attribute(meta, 'name') ?? attribute(meta, 'property'))?.toLowerCase() === name,
  );
  return found && nonEmpty(attribute(found, 'content'));
};

const childText = (element: Element): string | undefined => {
  const [first] = element.childNodes;
  return first && nonEmpty(textOf(first));
};

const nonEmpty = (text: string | undefined): string | undefined => {
  const line = text?.replace(/\s+/g, ' ').trim();
  return line === '' ? undefined : line;
};

const SEPARATOR = / (?:\||–|—|·|-|»|::) /g;

/** `<title>` without the name of the site, which is at its end or, rarely, at its beginning. */
export function withoutSiteName(title: string, siteName: string | undefined): string {
  const separators = [...title.matchAll(SEPARATOR)];
  const last = separators.at(-1);
  const first = separators[0];
  if (!last || !first) return title;
  const [head, tail] = [title.slice(0, first.index), title.slice(last.index + last[0].length)];
  if (siteName !== undefined && head === siteName) return title.slice(first.index + first[0].length);
  // A hyphen is often a part of the title itself.
  return last[0] === ' - ' && tail !== siteName ? title : title.slice(0, last.index);
}

/** A title from the last segment of a URL. */
export function titleFromUrl(url: URL): string {
  const segment = url.pathname.split('/').findLast((one) => one !== '' && !/^index\.\w+$/.test(one)) ?? '';
  const name = decoded(segment)
    .replace(/\.\w{1,5}$/, '')
    .replace(/[-_+]+/g, ' ')
    .trim();
  return name === '' ? url.hostname : name.charAt(0).toUpperCase() + name.slice(1);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
