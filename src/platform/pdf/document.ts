import type { Compiled, Source } from './compiler.ts';
import type { Position, Target } from './join.ts';
import { PdfError } from './pdf-error.ts';
import { ThreadDied, type Session } from './session.ts';

/** A document as Typst markup, that can be compiled in parts. */
export interface Manuscript {
  /** Before every part. */
  readonly preamble: string;
  readonly sheets: readonly Sheet[];
  /** The pages before the first sheet, made when the numbers of pages are known. They are numbered apart. */
  front(numberOf: (label: string) => number | undefined): string;
  /** Bytes of an image that sheets name. What cannot be had is in `sys.inputs.unreadable`, by lines. */
  readFile(path: string): Promise<Uint8Array | undefined>;
}

/** What begins on a page of its own. Links to `place:<label>` lead to that label on whatever sheet. */
export interface Sheet {
  /** What people call it. */
  readonly name: string;
  readonly markup: string;
  readonly files: readonly string[];
  readonly places: readonly Place[];
}

export interface Place {
  readonly label: string;
  readonly title: string;
  /** Its level in the outline; undefined: not there. */
  readonly level?: number;
}

/** What a thread compiles at once, so that it takes some 400 MB: markup, and images, which it decodes. */
const MOST_MARKUP = 400_000;
const MOST_FILES = 60;
/** A thread that has taken more is not used again. */
const MOST_MEMORY = 400 * 1024 * 1024;

interface Part {
  readonly pdf: Uint8Array;
  readonly pages: number;
  readonly places: readonly { readonly place: Place; readonly at: Omit<Position, 'part'> }[];
}

/** Compiles a document part by part, and joins them. */
export async function makeDocument(session: Session, manuscript: Manuscript): Promise<Buffer> {
  const parts: Part[] = [];
  let pages = 0;
  for (const sheets of groupsOf(manuscript.sheets)) {
    for (const part of await compileSheets(session, manuscript, sheets, pages + 1)) {
      parts.push(part);
      pages += part.pages;
    }
    await session.giveWay();
  }

  const targets: Target[] = [];
  const numbers = new Map<string, number>();
  let before = 0;
  for (const [index, part] of parts.entries()) {
    for (const { place, at } of part.places) {
      numbers.set(place.label, before + at.page + 1);
      // The front is part 0.
      targets.push({ ...place, position: { ...at, part: index + 1 } });
    }
    before += part.pages;
  }
  const front = await compile(session, {
    main: `${manuscript.preamble}\n${manuscript.front((label) => numbers.get(label))}`,
    labels: [],
    firstPage: 1,
    files: new Map(),
    missing: [],
  });
  const result = await session.ask({ join: [front.pdf, ...parts.map(({ pdf }) => pdf)], targets });
  if (!('joined' in result)) throw new PdfError('failed', 'the parts were not joined');
  const { buffer, byteOffset, byteLength } = result.joined;
  return Buffer.from(buffer, byteOffset, byteLength);
}

function groupsOf(sheets: readonly Sheet[]): Sheet[][] {
  const groups: Sheet[][] = [];
  let [markup, files] = [Number.POSITIVE_INFINITY, 0];
  for (const sheet of sheets) {
    markup += sheet.markup.length;
    files += sheet.files.length;
    if (markup <= MOST_MARKUP && files <= MOST_FILES) (groups.at(-1) as Sheet[]).push(sheet);
    else {
      groups.push([sheet]);
      [markup, files] = [sheet.markup.length, sheet.files.length];
    }
  }
  return groups;
}

/**
 * What the compiler cannot hold in memory ends its thread. Then it is tried in halves, and a single sheet without its
 * images.
 */
async function compileSheets(
  session: Session,
  manuscript: Manuscript,
  sheets: readonly Sheet[],
  firstPage: number,
  isWithFiles = true,
): Promise<Part[]> {
  const places = sheets.flatMap((sheet) => sheet.places);
  const paths = [...new Set(sheets.flatMap((sheet) => sheet.files))];
  const files = isWithFiles ? await readFiles(session, manuscript, paths) : new Map<string, Uint8Array>();
  try {
    const compiled = await compile(session, {
      main: [manuscript.preamble, ...sheets.map(({ markup }) => markup)].join('\n'),
      labels: places.map(({ label }) => label),
      firstPage,
      files,
      missing: paths.filter((path) => !files.has(path)),
    });
    return [partOf(compiled, places)];
  } catch (error) {
    if (!(error instanceof ThreadDied)) throw error;
    await session.dropThread();
    const [only] = sheets as [Sheet];
    const middle = Math.ceil(sheets.length / 2);
    if (sheets.length > 1) {
      const first = await compileSheets(session, manuscript, sheets.slice(0, middle), firstPage);
      const made = first.reduce((sum, { pages }) => sum + pages, 0);
      return [
        ...first,
        ...(await compileSheets(session, manuscript, sheets.slice(middle), firstPage + made)),
      ];
    }
    if (files.size > 0) return compileSheets(session, manuscript, sheets, firstPage, false);
    throw new PdfError('too-large', error.message, only.name);
  }
}

/** Files that are read at the same time: an image may take ten megabytes, and many times that when it is scaled. */
const READ_AT_ONCE = 2;

async function readFiles(
  session: Session,
  manuscript: Manuscript,
  paths: readonly string[],
): Promise<Map<string, Uint8Array>> {
  const files = new Map<string, Uint8Array>();
  const left = paths.values();
  const readers = Array.from({ length: READ_AT_ONCE }, async () => {
    for (const path of left) {
      session.signal.throwIfAborted();
      const bytes = await manuscript.readFile(path);
      const scaled = bytes && (await session.scaleImage(bytes));
      if (scaled) files.set(path, scaled);
    }
  });
  await Promise.all(readers);
  return files;
}

async function compile(session: Session, source: Source): Promise<Compiled> {
  const result = await session.ask({ compile: source });
  if ('error' in result) throw new PdfError('failed', result.error);
  if (!('pdf' in result)) throw new PdfError('failed', 'the thread did not compile');
  if (result.memory > MOST_MEMORY) await session.dropThread();
  return result;
}

const partOf = ({ pdf, pages, places }: Compiled, wanted: readonly Place[]): Part => ({
  pdf,
  pages,
  places: wanted.flatMap((place, index) => {
    const found = places[index];
    return found ? [{ place, at: { page: found[0] - 1, x: found[1], y: found[2] } }] : [];
  }),
});
