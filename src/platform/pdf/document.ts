import type { Compiled, Source } from './compiler.ts';
import type { Position, Target } from './join/join.ts';
import { PdfError } from './pdf-error.ts';
import { ThreadDied, type CompileJob } from './compile-job.ts';

/** A document as Typst markup that can be compiled in parts. */
export interface Manuscript {
  /** Prepended to every part. */
  readonly preamble: string;
  readonly sheets: readonly Sheet[];
  /** Front matter, compiled last, when all page numbers are known. It has its own numbering. */
  front(numberOf: (label: string) => number | undefined): string;
  /** Bytes of an image that sheets refer to. Paths without bytes are listed in `sys.inputs.unreadable`, one per line. */
  readFile(path: string): Promise<Uint8Array | undefined>;
}

/** A piece of markup that begins on a new page. Links to `place:<label>` may point to labels of any sheet. */
export interface Sheet {
  /** Name shown to people, for error messages. */
  readonly name: string;
  readonly markup: string;
  readonly files: readonly string[];
  readonly places: readonly Place[];
}

export interface Place {
  readonly label: string;
  readonly title: string;
  /** Level in the outline; undefined if not listed. */
  readonly level?: number;
}

/** Limits of one part, so that it fits into the memory of the compiler: markup, and images, which are decoded. */
const MAX_MARKUP = 100_000;
const MAX_FILES = 20;
/** A thread that has allocated more is replaced. */
const MAX_MEMORY = 256 * 1024 * 1024;

interface Part {
  readonly pdf: Uint8Array;
  readonly pages: number;
  readonly places: readonly { readonly place: Place; readonly at: Omit<Position, 'part'> }[];
}

/** Compiles a document in parts and joins them. */
export async function makeDocument(job: CompileJob, manuscript: Manuscript): Promise<Buffer> {
  const parts: Part[] = [];
  let pages = 0;
  for (const sheets of groupSheets(manuscript.sheets)) {
    for (const part of await compileSheets(job, manuscript, sheets, pages + 1)) {
      parts.push(part);
      pages += part.pages;
    }
    job.yieldToOthers();
  }

  const targets: Target[] = [];
  const numbers = new Map<string, number>();
  let before = 0;
  for (const [index, part] of parts.entries()) {
    for (const { place, at } of part.places) {
      numbers.set(place.label, before + at.page + 1);
      // Part 0 is the front matter.
      targets.push({ ...place, position: { ...at, part: index + 1 } });
    }
    before += part.pages;
  }
  const front = await compile(job, {
    main: `${manuscript.preamble}\n${manuscript.front((label) => numbers.get(label))}`,
    labels: [],
    firstPage: 1,
    files: new Map(),
    missing: [],
  });
  const result = await job.ask({ join: [front.pdf, ...parts.map(({ pdf }) => pdf)], targets });
  if (!('joined' in result)) throw new PdfError('failed', 'the parts were not joined');
  const { buffer, byteOffset, byteLength } = result.joined;
  return Buffer.from(buffer, byteOffset, byteLength);
}

function groupSheets(sheets: readonly Sheet[]): Sheet[][] {
  const groups: Sheet[][] = [];
  let [markup, files] = [Number.POSITIVE_INFINITY, 0];
  for (const sheet of sheets) {
    markup += sheet.markup.length;
    files += sheet.files.length;
    if (markup <= MAX_MARKUP && files <= MAX_FILES) (groups.at(-1) as Sheet[]).push(sheet);
    else {
      groups.push([sheet]);
      [markup, files] = [sheet.markup.length, sheet.files.length];
    }
  }
  return groups;
}

/**
 * A part that exceeds the compiler's memory ends its thread. It is then retried in halves, and a single sheet without its
 * images.
 */
async function compileSheets(
  job: CompileJob,
  manuscript: Manuscript,
  sheets: readonly Sheet[],
  firstPage: number,
  includeFiles = true,
): Promise<Part[]> {
  const places = sheets.flatMap((sheet) => sheet.places);
  const paths = [...new Set(sheets.flatMap((sheet) => sheet.files))];
  const files = includeFiles ? await readFiles(job, manuscript, paths) : new Map<string, Uint8Array>();
  try {
    const compiled = await compile(job, {
      main: [manuscript.preamble, ...sheets.map(({ markup }) => markup)].join('\n'),
      labels: places.map(({ label }) => label),
      firstPage,
      files,
      missing: paths.filter((path) => !files.has(path)),
    });
    return [partOf(compiled, places)];
  } catch (error) {
    if (!(error instanceof ThreadDied)) throw error;
    job.dropThread();
    const [only] = sheets as [Sheet];
    const middle = Math.ceil(sheets.length / 2);
    if (sheets.length > 1) {
      const first = await compileSheets(job, manuscript, sheets.slice(0, middle), firstPage);
      const pagesBefore = first.reduce((sum, { pages }) => sum + pages, 0);
      return [
        ...first,
        ...(await compileSheets(job, manuscript, sheets.slice(middle), firstPage + pagesBefore)),
      ];
    }
    if (files.size > 0) return compileSheets(job, manuscript, sheets, firstPage, false);
    throw new PdfError('too-large', error.message, only.name);
  }
}

/** Files read concurrently: an image may have ten megabytes, and take many times that while it is scaled. */
const CONCURRENT_READS = 2;

async function readFiles(
  job: CompileJob,
  manuscript: Manuscript,
  paths: readonly string[],
): Promise<Map<string, Uint8Array>> {
  const files = new Map<string, Uint8Array>();
  const left = paths.values();
  const readers = Array.from({ length: CONCURRENT_READS }, async () => {
    for (const path of left) {
      job.signal.throwIfAborted();
      const bytes = await manuscript.readFile(path);
      const scaled = bytes && (await job.scaleImage(bytes));
      if (scaled) files.set(path, scaled);
    }
  });
  await Promise.all(readers);
  return files;
}

async function compile(job: CompileJob, source: Source): Promise<Compiled> {
  const result = await job.ask({ compile: source });
  if ('error' in result) throw new PdfError('failed', result.error);
  if (!('pdf' in result)) throw new PdfError('failed', 'the thread did not compile');
  if (result.memory > MAX_MEMORY) job.dropThread();
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
