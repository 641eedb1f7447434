import { markCode } from './docx/code.ts';
import { markNumbers, withOwnLevels, withStarts } from './docx/lists.ts';
import { BLOCK_STYLE, INLINE_STYLE, withFormulas } from './docx/math.ts';
import { writeStoredZip, type StoredEntry } from '../../platform/zip/index.ts';
import type { DocxInput, DocxOutcome } from './folder/imported-folder.ts';
import { MAX_DOCX_ELEMENTS, MAX_HTML } from './limits.ts';

const MAIN_PART = 'word/document.xml';
const TITLE = '<w:pStyle w:val="Title"';

/**
 * A Word document as HTML. It is packed again from parts that were measured: a crafted archive that reads differently to
 * the library cannot exceed the limits. Instead of each medium its path is packed, so that bytes of images are not
 * copied; the library passes the path to `convertImage` as if it were the image.
 */
async function convertDocx({ parts, media, title }: DocxInput): Promise<DocxOutcome> {
  const refusal = refuseParts(parts);
  if (refusal) return refusal;
  const { default: mammoth } = await import('mammoth');
  const stubs = media.map((name) => ({ name, bytes: Buffer.from(name) }));
  const hasTitle = parts.some(({ name, bytes }) => name === MAIN_PART && viewOf(bytes).includes(TITLE));
  try {
    const { value, messages } = await mammoth.convertToHtml(
      { buffer: writeStoredZip([...parts.map(withReadableParts), ...stubs]) },
      {
        styleMap: styleMap(hasTitle),
        includeEmbeddedStyleMap: false,
        externalFileAccess: false,
        transformDocument: (document) => markNumbers(markCode(document)),
        convertImage: mammoth.images.imgElement(async (image) => ({
          src: encodeURI((await image.readAsBuffer()).toString()),
        })),
      },
    );
    const html = `<!DOCTYPE html><title>${escapeHtml(title)}</title><body>${withStarts(value)}</body>`;
    return { html, lost: lostIn(messages) };
  } catch (error) {
    // The library recurses into nested elements.
    if (error instanceof RangeError) return TOO_DEEP;
    const why = (error as Error).message;
    return {
      status: 422,
      failure: `The Word document is damaged (${why}). Save it again with a word processor.`,
    };
  }
}

const MAX_LOST = 100;

/** Other messages are about styles that the map does not name: their text is converted without a style. */
const LOST =
  /^(?:An unrecognised element was ignored: |A (?:w:sym|v:imagedata) element|Could not find image)/;

function lostIn(messages: readonly { readonly message: string }[]): readonly string[] {
  const lost = messages.flatMap(({ message }) => (LOST.test(message) ? [nameLost(message)] : []));
  return [...new Set(lost)].slice(0, MAX_LOST);
}

/** Elements outside of the namespaces that the library knows are named by their namespace. */
const nameLost = (message: string): string =>
  message.startsWith('An unrecognised') ? message.replace(/^.*: (?:\{[^}]*\})?/, '') : message;

export const importTasks = { convertDocx };

const NUMBERING_PART = 'word/numbering.xml';

const withReadableParts = ({ name, bytes }: StoredEntry): StoredEntry => {
  if (name === NUMBERING_PART) return { name, bytes: Buffer.from(withOwnLevels(viewOf(bytes).toString())) };
  if (name !== MAIN_PART || !viewOf(bytes).includes('<m:oMath')) return { name, bytes };
  return { name, bytes: Buffer.from(withFormulas(viewOf(bytes).toString())) };
};

const viewOf = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** An XML parser needs about a kilobyte for each element. Entities could multiply them, and Word writes none. */
function refuseParts(parts: readonly StoredEntry[]): Extract<DocxOutcome, { failure: string }> | undefined {
  let elements = 0;
  let text = 0;
  for (const { name, bytes } of parts) {
    const measured = measureXml(bytes);
    if (measured.hasDeclaration)
      return {
        status: 422,
        failure: `${name} contains a DOCTYPE, which Word documents do not have. Save the document again.`,
      };
    elements += measured.elements;
    text += measured.text;
  }
  if (text > MAX_HTML) return tooLarge(`${MAX_HTML / 1024 / 1024} MB of text`);
  return elements > MAX_DOCX_ELEMENTS
    ? tooLarge(`${MAX_DOCX_ELEMENTS.toLocaleString('en')} XML elements`)
    : undefined;
}

const tooLarge = (limit: string) => ({
  status: 413 as const,
  failure: `The Word document has more than ${limit}. Split it into smaller ones.`,
});

const TOO_DEEP = {
  status: 422 as const,
  failure: 'The elements of the Word document are nested too deeply. Simplify its tables and lists.',
};

const [LESS, GREATER, SLASH, QUESTION, EXCLAMATION] = [0x3c, 0x3e, 0x2f, 0x3f, 0x21];
/** After `<!`: a comment, or character data. */
const HARMLESS = new Set(Buffer.from('-['));

/** `text`: the bytes between tags. In one pass, and without a copy as a string: a document may have many megabytes. */
function measureXml(bytes: Uint8Array) {
  let [elements, text, hasDeclaration] = [0, 0, false];
  let endOfTag = 0;
  for (let at = bytes.indexOf(LESS); at >= 0; at = bytes.indexOf(LESS, at + 1)) {
    const next = bytes[at + 1];
    if (next === EXCLAMATION) hasDeclaration ||= !HARMLESS.has(bytes[at + 2] ?? 0);
    else if (next !== SLASH && next !== QUESTION) elements++;
    if (at < endOfTag) continue;
    text += at - endOfTag;
    const greater = bytes.indexOf(GREATER, at);
    endOfTag = greater < 0 ? bytes.length : greater + 1;
  }
  return { elements, text, hasDeclaration };
}

/** If the document has a title, its headings are below it. */
function styleMap(hasTitle: boolean): string[] {
  const headings = [1, 2, 3, 4, 5].flatMap((level) => [
    `p[style-name='heading ${level}'] => h${level + 1}:fresh`,
    `p.Heading${level} => h${level + 1}:fresh`,
  ]);
  return [
    "p[style-name='Title'] => h1:fresh",
    ...(hasTitle ? headings : []),
    ...['Quote', 'Intense Quote', 'Quotations', 'Block Text'].map(
      (name) => `p[style-name='${name}'] => blockquote > p:fresh`,
    ),
    ...['Code', 'Source Code', 'HTML Preformatted', 'Preformatted Text'].map(
      (name) => `p[style-name='${name}'] => pre:separator('\\n')`,
    ),
    ...['Code', 'HTML Code', 'Source Text', 'Verbatim Char'].map((name) => `r[style-name='${name}'] => code`),
    ...['Caption', 'caption', 'Figure', 'Illustration', 'Table', 'Drawing'].map(
      (name) => `p[style-name='${name}'] => p.caption:fresh`,
    ),
    `r.${INLINE_STYLE} => span.math`,
    `r.${BLOCK_STYLE} => span.math.display`,
    // A table of contents repeats the headings.
    "p[style-name='TOC Heading'] => !",
    ...[1, 2, 3, 4, 5, 6, 7, 8, 9].flatMap((level) => [
      `p[style-name='toc ${level}'] => !`,
      `p[style-name='Contents ${level}'] => !`,
    ]),
  ];
}
