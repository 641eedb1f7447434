import { typeByMagic } from './magic.ts';
import { type Markup, markupOf } from './markup.ts';
import { decodeText, type Text } from './text.ts';

const UNKNOWN = 'application/octet-stream';
const MAX_JSON = 256 * 1024;

/** Text formats that only the extension distinguishes. */
const TEXT_BY_EXTENSION: Readonly<Record<string, string>> = {
  txt: 'text/plain',
  log: 'text/plain',
  md: 'text/markdown',
  markdown: 'text/markdown',
  mdx: 'text/markdown',
  csv: 'text/csv',
  tsv: 'text/tab-separated-values',
  css: 'text/css',
  js: 'text/javascript',
  mjs: 'text/javascript',
  cjs: 'text/javascript',
  vtt: 'text/vtt',
  ics: 'text/calendar',
  json: 'application/json',
  map: 'application/json',
  webmanifest: 'application/json',
  yaml: 'application/yaml',
  yml: 'application/yaml',
  toml: 'application/toml',
  rtf: 'application/rtf',
};

const MARKUP_BY_EXTENSION: Readonly<Record<string, string>> = {
  html: 'text/html',
  htm: 'text/html',
  xhtml: 'application/xhtml+xml',
  xml: 'application/xml',
  rss: 'application/xml',
  atom: 'application/xml',
  xsl: 'application/xml',
  svg: 'application/xml',
};

/** Document formats that are zip archives. */
const ZIP_BY_EXTENSION: Readonly<Record<string, string>> = {
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  odt: 'application/vnd.oasis.opendocument.text',
  ods: 'application/vnd.oasis.opendocument.spreadsheet',
  odp: 'application/vnd.oasis.opendocument.presentation',
  epub: 'application/epub+zip',
  jar: 'application/java-archive',
};

const TYPE_OF_MARKUP: Readonly<Record<Markup, string>> = {
  svg: 'image/svg+xml',
  html: 'text/html',
  'html-fragment': 'text/html',
  xml: 'application/xml',
};

/**
 * The media type of a file by its content (all bytes, or the first 64 kB). The extension only distinguishes text formats
 * and zip-based formats: no file becomes an image, a video or a document by its name.
 */
export function typeOf(bytes: Uint8Array, name: string): string {
  const extension = /\.([a-z0-9]{1,16})$/i.exec(name)?.[1]?.toLowerCase() ?? '';
  const magic = typeByMagic(bytes);
  if (magic === 'application/zip') return lookUp(ZIP_BY_EXTENSION, extension) ?? magic;
  if (magic) return magic;
  const text = decodeText(bytes);
  return text ? typeOfText(bytes, text, extension) : UNKNOWN;
}

function typeOfText(bytes: Uint8Array, text: Text, extension: string): string {
  const byExtension = lookUp(TEXT_BY_EXTENSION, extension);
  const markup = markupOf(text.head);
  // Markdown often begins with a tag, and a browser does not interpret tags in a text type.
  if (markup && !(markup === 'html-fragment' && byExtension)) return TYPE_OF_MARKUP[markup];
  if (byExtension) return byExtension;
  const byMarkup = text.head.trimStart().startsWith('<') && lookUp(MARKUP_BY_EXTENSION, extension);
  if (byMarkup) return byMarkup;
  if (isJson(bytes, text.head)) return 'application/json';
  return text.isUnicode ? 'text/plain' : UNKNOWN;
}

function lookUp(table: Readonly<Record<string, string>>, extension: string): string | undefined {
  return Object.hasOwn(table, extension) ? table[extension] : undefined;
}

function isJson(bytes: Uint8Array, head: string): boolean {
  if (bytes.length > MAX_JSON || !/^\s*[[{]/.test(head)) return false;
  try {
    JSON.parse(new TextDecoder().decode(bytes));
    return true;
  } catch {
    return false;
  }
}
