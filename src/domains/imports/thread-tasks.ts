import { writeStoredZip, type StoredEntry } from '../../platform/zip/index.ts';
import type { DocxInput, DocxOutcome } from './imported-folder.ts';
import { MAX_DOCX_ELEMENTS } from './limits.ts';

const MAIN_PART = 'word/document.xml';

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
  const hasTitle = parts.some(
    ({ name, bytes }) => name === MAIN_PART && /<w:pStyle w:val="Title"\s*\/>/.test(toText(bytes)),
  );
  try {
    const { value } = await mammoth.convertToHtml(
      { buffer: writeStoredZip([...parts, ...stubs]) },
      {
        styleMap: styleMap(hasTitle),
        includeEmbeddedStyleMap: false,
        externalFileAccess: false,
        convertImage: mammoth.images.imgElement(async (image) => ({
          src: encodeURI((await image.readAsBuffer()).toString()),
        })),
      },
    );
    return { html: `<!DOCTYPE html><title>${escapeHtml(title)}</title><body>${value}</body>` };
  } catch (error) {
    const why = (error as Error).message;
    return {
      status: 422,
      failure: `The Word document is damaged (${why}). Save it again with a word processor.`,
    };
  }
}

export const importTasks = { convertDocx };

const toText = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** An XML parser needs about a kilobyte for each element. Entities could multiply them, and Word writes none. */
function refuseParts(parts: readonly StoredEntry[]): Extract<DocxOutcome, { failure: string }> | undefined {
  let elements = 0;
  for (const { name, bytes } of parts) {
    if (/<!(?:DOCTYPE|ENTITY)/i.test(toText(bytes)))
      return {
        status: 422,
        failure: `${name} contains a DOCTYPE, which Word documents do not have. Save the document again.`,
      };
    elements += countElements(bytes);
  }
  if (elements <= MAX_DOCX_ELEMENTS) return undefined;
  const limit = MAX_DOCX_ELEMENTS.toLocaleString('en');
  return {
    status: 413,
    failure: `The Word document has more than ${limit} XML elements. Split it into smaller ones.`,
  };
}

/** `<` that is not followed by one of these opens an element. */
const NO_ELEMENT = new Set(Buffer.from('/?!'));

function countElements(bytes: Uint8Array): number {
  let count = 0;
  const open = 0x3c;
  for (let at = bytes.indexOf(open); at >= 0; at = bytes.indexOf(open, at + 1))
    if (!NO_ELEMENT.has(bytes[at + 1] ?? open)) count++;
  return count;
}

/** With a title, the headings of the document are below it. */
function styleMap(hasTitle: boolean): string[] {
  const headings = [1, 2, 3, 4, 5].flatMap((level) => [
    `p[style-name='heading ${level}'] => h${level + 1}:fresh`,
    `p.Heading${level} => h${level + 1}:fresh`,
  ]);
  return [
    "p[style-name='Title'] => h1:fresh",
    ...(hasTitle ? headings : []),
    "p[style-name='Quote'] => blockquote > p:fresh",
    "p[style-name='Intense Quote'] => blockquote > p:fresh",
    ...['Code', 'Source Code', 'HTML Preformatted', 'Preformatted Text'].map(
      (name) => `p[style-name='${name}'] => pre:separator('\\n')`,
    ),
    ...['Code', 'HTML Code', 'Source Text', 'Verbatim Char'].map((name) => `r[style-name='${name}'] => code`),
    "p[style-name='Caption'] => p > em:fresh",
  ];
}
