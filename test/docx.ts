import { writeStoredZip } from '../src/platform/zip/index.ts';

const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const R = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"';
const RELATIONSHIPS = 'http://schemas.openxmlformats.org/package/2006/relationships';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

export type Parts = Readonly<Record<string, string | Uint8Array>>;

/** A paragraph with a style. */
export const paragraph = (text: string, style?: string): string =>
  `<w:p>${style === undefined ? '' : `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>`}<w:r><w:t>${text}</w:t></w:r></w:p>`;

/** A picture by the id of its relationship. */
export const picture = (id: string): string =>
  `<w:p><w:r><w:drawing><wp:inline xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"><wp:docPr id="1" name="P" descr="A picture"/><a:graphic xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:pic xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:blipFill><a:blip r:embed="${id}"/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>`;

/** A Word document. `parts` replace or add parts. */
export function docx(body: string, parts: Parts = {}): Buffer {
  const all: Record<string, string | Uint8Array> = {
    '[Content_Types].xml':
      '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Default Extension="png" ContentType="image/png"/><Default Extension="emf" ContentType="image/x-emf"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
    '_rels/.rels': `<?xml version="1.0"?><Relationships xmlns="${RELATIONSHIPS}"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="word/document.xml"/></Relationships>`,
    'word/document.xml': `<?xml version="1.0"?><w:document ${W} ${R}><w:body>${body}</w:body></w:document>`,
    'word/styles.xml': `<?xml version="1.0"?><w:styles ${W}>${[
      'Title',
      'heading 1',
      'heading 2',
      'Quote',
      'Code',
    ]
      .map(
        (name) =>
          `<w:style w:type="paragraph" w:styleId="${styleId(name)}"><w:name w:val="${name}"/></w:style>`,
      )
      .join('')}</w:styles>`,
    ...parts,
  };
  return writeStoredZip(
    Object.entries(all).map(([name, content]) => ({ name, bytes: Buffer.from(content as string) })),
  );
}

const styleId = (name: string): string => name.replace(/^heading /, 'Heading');

/** The relationships of the document to its pictures: id → path below `word/`. */
export const pictures = (targets: Readonly<Record<string, string>>): Parts => ({
  'word/_rels/document.xml.rels': `<?xml version="1.0"?><Relationships xmlns="${RELATIONSHIPS}">${Object.entries(
    targets,
  )
    .map(([id, target]) => `<Relationship Id="${id}" Type="${OFFICE}/image" Target="${target}"/>`)
    .join('')}</Relationships>`,
});
