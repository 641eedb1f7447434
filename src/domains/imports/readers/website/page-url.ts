import { hash } from 'node:crypto';
import { titleInQuery } from './scope.ts';

/** Longer URLs are not requested. */
export const MAX_URL = 2000;
const MAX_SEGMENTS = 16;
const MAX_SEGMENT = 255;
const MAX_REPETITIONS = 3;

/** Extensions of files that are no pages. They are not requested; links to them remain links. */
const FILE_EXTENSIONS: ReadonlySet<string> = new Set(
  (
    'png jpg jpeg jpe gif svg svgz webp avif apng ico bmp tif tiff heic psd ai eps pdf ps djvu epub mobi azw3 ' +
    'zip gz tgz bz2 xz zst 7z rar tar lz4 jar war ear whl egg gem crate deb rpm apk ipa dmg pkg exe msi iso img bin so dll ' +
    'mp3 m4a aac ogg oga opus wav flac mp4 m4v mov avi mkv webm ogv mpg mpeg wmv flv ' +
    'woff woff2 ttf otf eot css scss less js mjs cjs ts tsx map wasm json jsonld json5 xml xsd xsl rss atom ics vcf ' +
    'csv tsv xls xlsx ods doc docx odt rtf ppt pptx odp key pages numbers txt log rst yaml yml toml ini ipynb sql db ' +
    'sig asc sha256 md5 torrent'
  ).split(' '),
);

/** Whether a URL may be one of a page. A query mostly means a search, a sort order or a session. */
export function mayBePage(url: URL): boolean {
  if (url.search !== '') return titleInQuery(url) !== undefined;
  const name = url.pathname.slice(url.pathname.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  return dot < 0 || !FILE_EXTENSIONS.has(name.slice(dot + 1).toLowerCase());
}

/** Why a URL is not requested: websites that generate links without end have such URLs. */
export function trapIn({ href, pathname }: URL): string | undefined {
  if (href.length > MAX_URL) return `the URL is longer than ${MAX_URL} characters`;
  const segments = pathname.split('/').slice(1);
  if (segments.length > MAX_SEGMENTS) return `the path has more than ${MAX_SEGMENTS} segments`;
  if (segments.some(({ length }) => length > MAX_SEGMENT)) {
    return `a segment of the path is longer than ${MAX_SEGMENT} characters`;
  }
  const counts = new Map<string, number>();
  for (const segment of segments) counts.set(segment, (counts.get(segment) ?? 0) + 1);
  const isRepeating = Math.max(...counts.values()) > MAX_REPETITIONS;
  return isRepeating ? 'the path repeats itself' : undefined;
}

const MAX_LABEL = 300;

/** A URL that is only counted. It is shortened, because a website can generate many long ones. */
export function labelOf(href: string): string {
  if (href.length <= MAX_LABEL) return href;
  // A copy: a part of a string would retain all of it.
  const start = Buffer.from(href.slice(0, MAX_LABEL)).toString();
  return `${start}… (${hash('sha256', href).slice(0, 8)})`;
}
