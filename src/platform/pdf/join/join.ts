import { numberIn, readPdf, shiftObject, type PdfFile } from './read-pdf.ts';
import { outlineObjects } from './outline.ts';
import { textString, Writer } from './writer.ts';

/** Joins PDFs of the compiler into one: pages, links between them, outline, tags. Runs in a thread. */

/** Position of a label: part and page, both from 0, and distance in points from the left and top. */
export interface Position {
  readonly part: number;
  readonly page: number;
  readonly x: number;
  readonly y: number;
}

/** A target of `place:<label>` links. Targets with a level are listed in the outline. */
export interface Target {
  readonly label: string;
  readonly title: string;
  readonly level?: number | undefined;
  readonly position: Position;
}

interface Part {
  readonly file: PdfFile;
  /** Offsets of its object numbers and of its keys of the parent tree. */
  readonly objects: number;
  readonly parents: number;
  /** Its page tree, structure tree, metadata and top structure element, by their numbers before the shift. */
  readonly pagesRoot: number;
  readonly structRoot: number;
  readonly metadata: number | undefined;
  readonly document: number;
  /** Object numbers of its pages in the joined document. */
  readonly pages: readonly number[];
  readonly structure: string;
}

/** The first document is the front matter (title page and contents): its lists are tagged as a table of contents. */
export function joinPdfs(pdfs: readonly Uint8Array[], targets: readonly Target[]): Buffer {
  const parts = readParts(pdfs);
  const writer = new Writer(parts.reduce((sum, { file }) => sum + file.size - 1, 0));
  const [pagesRoot, structRoot, document] = [writer.next(), writer.next(), writer.next()];
  const destination = ({ position }: Target): string => destinationOf(parts, position);
  const links = new Map(targets.map((target) => [target.label, target]));

  for (const [index, part] of parts.entries()) {
    const { file, objects, parents } = part;
    const shift = { objects, parents, ids: idPrefix(index) };
    const skipped = new Set([file.root, file.info, part.metadata, part.structRoot]);
    for (const { id, bytes } of file.objects) {
      if (skipped.has(id)) continue;
      const source = bytes.toString('latin1');
      const { text, streamAt } = shiftObject(source, shift);
      let written = text;
      if (id === part.pagesRoot) written = withEntry(text, `/Parent ${pagesRoot} 0 R`);
      else if (id === part.document)
        written = text.replace('/S /Document', '/S /Part').replace(/\/P \d+ 0 R/, `/P ${document} 0 R`);
      else if (index === 0)
        written = text.replace(/^  \/S \/(LI|LBody|L)$/m, (_, tag: string) => CONTENTS[tag] ?? '');
      if (written.includes('(place:')) written = withLink(written, links, destination);
      writer.write(id + objects, written, bytes.subarray(streamAt));
    }
  }

  const counts = parts.map(({ pages }) => pages.length);
  const total = counts.reduce((sum, count) => sum + count, 0);
  const kids = parts.map((part) => `${part.pagesRoot + part.objects} 0 R`);
  writer.object(pagesRoot, `<< /Type /Pages /Count ${total} /Kids [${kids.join(' ')}] >>`);
  writer.object(
    document,
    `<< /Type /StructElem /S /Document /P ${structRoot} 0 R /K [${parts.map((part) => `${part.document + part.objects} 0 R`).join(' ')}] >>`,
  );
  writer.object(structRoot, structureOf(parts, document, writer));
  const outline = outlineObjects(
    targets.flatMap((target) =>
      target.level === undefined
        ? []
        : [{ title: target.title, level: target.level, destination: destination(target) }],
    ),
    writer,
  );
  const [front] = parts as [Part];
  const catalog = writer.next();
  writer.object(
    catalog,
    [
      '<< /Type /Catalog',
      `/Pages ${pagesRoot} 0 R /StructTreeRoot ${structRoot} 0 R /MarkInfo << /Marked true /Suspects false >>`,
      ...(outline === undefined ? [] : [`/Outlines ${outline} 0 R`]),
      `/PageLabels << /Nums [0 << /S /r >> ${counts[0]} << /S /D >>] >>`,
      ...catalogEntries(front.file),
      '>>',
    ].join('\n'),
  );
  return writer.finish(catalog, infoOf(front, writer));
}

const CONTENTS: Readonly<Record<string, string>> = {
  L: '  /S /TOC',
  LI: '  /S /TOCI',
  LBody: '  /S /Reference',
};

function readParts(pdfs: readonly Uint8Array[]): Part[] {
  let [objects, parents] = [0, 0];
  return pdfs.map((pdf) => {
    const file = readPdf(pdf);
    const textOf = (id: number) =>
      file.objects.find((object) => object.id === id)?.bytes.toString('latin1') ?? '';
    const catalog = textOf(file.root);
    const pagesRoot = numberIn(catalog, /\/Pages (\d+) 0 R/) ?? 0;
    const structRoot = numberIn(catalog, /\/StructTreeRoot (\d+) 0 R/) ?? 0;
    const structure = textOf(structRoot);
    const kids = /\/Kids \[([^\]]*)\]/.exec(textOf(pagesRoot))?.[1] ?? '';
    const offset = objects;
    const part: Part = {
      file,
      objects,
      parents,
      pagesRoot,
      structRoot,
      metadata: numberIn(catalog, /\/Metadata (\d+) 0 R/),
      document: numberIn(structure, /\/K \[(\d+) 0 R/) ?? 0,
      pages: [...kids.matchAll(/\b(\d+) 0 R/g)].map(([, id]) => Number(id) + offset),
      structure,
    };
    objects += file.size - 1;
    parents += numberIn(structure, /\/ParentTreeNextKey (\d+)/) ?? 0;
    return part;
  });
}

/** The id tree must be sorted: the prefix orders the ids of parts as the parts. */
const idPrefix = (part: number): string => `${String(part).padStart(6, '0')}-`;

/** The structure tree of the document, with one branch per part. */
function structureOf(parts: readonly Part[], document: number, writer: Writer): string {
  const branches = (name: 'Nums' | 'Names') =>
    parts.flatMap(({ structure, objects, parents }, index) => {
      const list = new RegExp(`/${name} \\[([^\\]]*)\\]`).exec(structure)?.[1] ?? '';
      const pairs = [...list.matchAll(/(\b\d+|\([^()]*\)) (\d+) 0 R/g)].map(([, key = '', id]) => ({
        key: name === 'Nums' ? String(Number(key) + parents) : `(${idPrefix(index)}${key.slice(1)}`,
        id: Number(id) + objects,
      }));
      const [first, last] = [pairs[0], pairs.at(-1)];
      if (!first || !last) return [];
      const branch = writer.next();
      const entries = pairs.map(({ key, id }) => `${key} ${id} 0 R`).join(' ');
      writer.object(branch, `<< /Limits [${first.key} ${last.key}] /${name} [${entries}] >>`);
      return [`${branch} 0 R`];
    });
  const roles = new Map(
    parts.flatMap(({ structure }) =>
      [...(/\/RoleMap <<([^>]*)>>/.exec(structure)?.[1] ?? '').matchAll(/\/(\w+) \/(\w+)/g)].map(
        ([, role = '', meaning = '']) => [role, meaning] as const,
      ),
    ),
  );
  const ids = branches('Names');
  const next = parts.reduce(
    (sum, { structure }) => sum + (numberIn(structure, /\/ParentTreeNextKey (\d+)/) ?? 0),
    0,
  );
  return [
    `<< /Type /StructTreeRoot /K [${document} 0 R]`,
    `/RoleMap << ${Array.from(roles, ([role, meaning]) => `/${role} /${meaning}`).join(' ')} >>`,
    `/ParentTree << /Kids [${branches('Nums').join(' ')}] >>`,
    ...(ids.length === 0 ? [] : [`/IDTree << /Kids [${ids.join(' ')}] >>`]),
    `/ParentTreeNextKey ${next} >>`,
  ].join('\n');
}

const PAGE_HEIGHT = 841.8898;
/** A link scrolls to slightly above its target. */
const ABOVE = 10;

function destinationOf(parts: readonly Part[], { part, page, x, y }: Position): string {
  const id = parts[part]?.pages[page] ?? parts[0]?.pages[0] ?? 0;
  const top = Math.min(PAGE_HEIGHT, PAGE_HEIGHT - y + ABOVE);
  return `[${id} 0 R /XYZ ${x.toFixed(2)} ${top.toFixed(2)} null]`;
}

/** Turns a `place:` URI into a link to its destination. */
function withLink(
  text: string,
  links: ReadonlyMap<string, Target>,
  destination: (target: Target) => string,
): string {
  return text
    .replace(/\/S \/URI\s+\/URI \(place:(\w+)\)/, (found, label: string) => {
      const target = links.get(label);
      return target ? `/S /GoTo\n    /D ${destination(target)}` : found;
    })
    .replace(
      /\/Contents \(place:(\w+)\)/,
      (_found, label: string) => `/Contents ${textString(links.get(label)?.title ?? '')}`,
    );
}

const withEntry = (text: string, entry: string): string => text.replace('<<', `<<\n  ${entry}`);

/** Language and reading direction, as the front matter declares them. */
function catalogEntries({ objects, root }: PdfFile): string[] {
  const catalog = objects.find(({ id }) => id === root)?.bytes.toString('latin1') ?? '';
  const language = /\/Lang \(([\w-]+)\)/.exec(catalog)?.[1];
  const direction = /\/Direction \/R2L/.test(catalog) ? 'R2L' : 'L2R';
  return [
    ...(language === undefined ? [] : [`/Lang (${language})`]),
    `/ViewerPreferences << /Direction /${direction} /DisplayDocTitle true >>`,
  ];
}

function infoOf({ file, objects }: Part, writer: Writer): number | undefined {
  const info = file.objects.find(({ id }) => id === file.info);
  if (!info) return undefined;
  const { text } = shiftObject(info.bytes.toString('latin1'), { objects, parents: 0, ids: '' });
  writer.write(info.id + objects, text, Buffer.alloc(0));
  return info.id + objects;
}
