import { buffer } from 'node:stream/consumers';
import type { ImageRef, JSONDocument } from '../../content-engine/document/index.ts';
import { frontOf, type Typeset } from '../../content-engine/render/typst/index.ts';
import { findFile, findReusableContent, type Tree } from '../../content-engine/tree/index.ts';
import type { Context } from '../../platform/api/context.ts';
import { PdfError, WorkerThread, type Manuscript } from '../../platform/pdf/index.ts';
import { loaderOf, readBody, rootOf, treeAt, type WithBody } from '../content-store/index.ts';
import { documentOf, wantedBy } from '../../content-engine/evaluation/index.ts';
import { readParts } from '../openapi-specs/index.ts';
import { type ContentRow } from '../revisions/index.ts';
import { storageName } from '../content/index.ts';
import { selectedPages, type Selection } from './assemble-book.ts';
import type { Heading } from './store.ts';
import type { TypesetResult, TypesetTask } from './typeset.ts';

const MAX_REMOTE_BYTES = 10 * 1024 * 1024;
const REMOTE_MS = 3000;
/** Bodies that are read in one round trip. */
const BODIES_PER_READ = 10;
/** Characters of all bodies: they are in memory at once. Books of real spaces have less than two million. */
const MAX_TEXT = 16_000_000;
/** The limit of the heap of a thread. A revision that needs more is refused; the process continues. */
const MAX_HEAP_MB = 384;

type ManuscriptContext = Omit<Context, 'caller'>;

interface Written extends Manuscript {
  /** Whether it shows parts of specifications of the organization. */
  readonly showsSpecifications: boolean;
}

/** A revision as markup. Throws `PdfError`. */
export async function writeManuscript(
  ctx: ManuscriptContext,
  row: Pick<ContentRow, 'organization_id' | 'store_id' | 'root' | 'revision_created_at'>,
  selection: Selection,
  { title, language }: Heading,
  signal: AbortSignal,
): Promise<Written> {
  const load = loaderOf(ctx, row.store_id);
  const tree = await treeAt(ctx, load, rootOf(row));
  const { bodies, shown } = await readBodies(load, tree, selection, signal);
  const wanted = wantedBy(shown);
  const typeset = await typesetInThread(
    {
      records: Array.from(tree.records.values(), (record) => JSON.stringify(record)),
      bodies,
      parts: await readWanted(ctx, row.organization_id, tree, wanted),
      selection,
      cover: {
        title,
        language: language?.slice(0, 2) ?? undefined,
        date: dateIn(language, row.revision_created_at),
      },
    },
    signal,
  );
  return {
    showsSpecifications: [...wanted.values()].some(({ spec }) => !('file' in spec)),
    preamble: typeset.preamble,
    sheets: typeset.sheets,
    front: (numberOf) => frontOf(typeset, numberOf),
    async readFile(path) {
      const ref = typeset.pictures.get(path);
      return ref && !signal.aborted ? readPicture(ctx, tree, ref) : undefined;
    },
  };
}

/** British English where the language is not known, or is English. */
function dateIn(language: string | null, date: Date): string {
  const locales =
    language === null || language.startsWith('en') ? ['en-GB'] : [language.slice(0, 2), 'en-GB'];
  return date.toLocaleDateString(locales, { dateStyle: 'long', timeZone: 'UTC' });
}

/** The parts of specifications that bodies show, as JSON with their keys. */
async function readWanted(
  ctx: ManuscriptContext,
  organizationId: string,
  tree: Tree,
  wanted: ReturnType<typeof wantedBy>,
): Promise<TypesetTask['parts']> {
  const parts = await readParts(ctx, organizationId, [...wanted.values()], async (ref) => {
    const file = ref.space === undefined ? findFile(tree, ref.file) : undefined;
    return file && { stored: storageName(file.hash), name: file.name, size: file.size };
  });
  return [...wanted.keys()].flatMap((key, index) =>
    parts[index] ? [JSON.stringify([key, parts[index]])] : [],
  );
}

/** The bodies of the pages, and of reusable contents if a page may include one. */
async function readBodies(
  load: ReturnType<typeof loaderOf>,
  tree: Tree,
  selection: Selection,
  signal: AbortSignal,
): Promise<{ readonly bodies: TypesetTask['bodies']; readonly shown: readonly JSONDocument[] }> {
  const bodies: string[] = [];
  /** Those that may show parts of specifications. */
  const shown: JSONDocument[] = [];
  let length = 0;
  let mayInclude = false;
  const read = async (records: readonly WithBody[]) => {
    for (let at = 0; at < records.length; at += BODIES_PER_READ) {
      signal.throwIfAborted();
      const some = records.slice(at, at + BODIES_PER_READ);
      await load(some.map(({ document }) => document));
      for (const record of some) {
        const body = await readBody(load, record);
        bodies.push(JSON.stringify([record.id, body]));
        if (/\{%[\s-]*(?:openapi|swagger)\b/.test(body.text)) shown.push(documentOf(tree, record, body));
        mayInclude ||= body.text.includes('include');
        length += body.text.length;
        if (length > MAX_TEXT) throw new PdfError('too-large', 'too much text');
      }
    }
  };
  await read(selectedPages(tree, selection).filter((page) => page.type === 'document'));
  if (mayInclude) await read(tree.reusableContents.flatMap((id) => findReusableContent(tree, id) ?? []));
  return { bodies, shown };
}

async function typesetInThread(task: TypesetTask, signal: AbortSignal): Promise<Typeset> {
  const limits = { maxOldGenerationSizeMb: MAX_HEAP_MB };
  const thread = new WorkerThread<TypesetTask, TypesetResult>(
    new URL('typeset', import.meta.url),
    undefined,
    limits,
  );
  const stop = () => void thread.close();
  signal.addEventListener('abort', stop, { once: true });
  try {
    const result = await thread.ask(task);
    if (result === 'too-long') throw new PdfError('too-large', 'too much markup');
    return result;
  } catch (error) {
    signal.throwIfAborted();
    if ((error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY')
      throw new PdfError('too-large', 'no memory to typeset it in');
    throw error;
  } finally {
    signal.removeEventListener('abort', stop);
    await thread.close();
  }
}

/** Undefined where it cannot be fetched: its alternative text is shown instead. */
async function readPicture(
  ctx: ManuscriptContext,
  tree: Tree,
  ref: ImageRef,
): Promise<Uint8Array | undefined> {
  try {
    if (ref.kind === 'url') {
      const answer = await ctx.outbound.fetch(ref.url, { maxBytes: MAX_REMOTE_BYTES, timeoutMs: REMOTE_MS });
      return answer.status === 200 ? answer.body : undefined;
    }
    const file = findFile(tree, ref.file);
    const opened = file && (await ctx.files.open(storageName(file.hash)));
    return opened && (await buffer(opened.stream));
  } catch {
    return undefined;
  }
}
