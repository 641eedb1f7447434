import { runToEnd } from '../../../content-engine/run-to-end.ts';
import {
  childrenOf,
  findFile,
  findPage,
  findReusableContent,
  hasSlug,
  pathOf,
  variablesOf,
  type FileRecord,
  type PageRecord,
  type ReusableContentRecord,
} from '../../../content-engine/tree/index.ts';
import { inSlices } from '../../../platform/threads/slices.ts';
import {
  presentFile,
  presentPageAt,
  presentReusableContent,
  presentRevisionHead,
  type Shown,
} from '../present.ts';
import { JsonWriter } from './json-writer.ts';

/** Answers about trees as JSON. They are written in slices: a tree may have tens of thousands of pages. */

type Steps = Generator<void, void, void>;

/** Up to this many records take a few milliseconds. Waiting for a turn would take longer. */
const FEW = 500;
const RECORDS_A_STEP = 100;

export const writeRevision = (shown: Shown): Promise<Buffer> =>
  write(shown, (writer) => revisionSteps(shown, writer));

export const writePages = (shown: Shown): Promise<Buffer> =>
  write(shown, function* (writer) {
    writer.add('{"pages":[');
    yield* pageSteps(shown, childrenOf(shown.tree), '', writer);
    writer.add(']}');
  });

/** A page with the pages below it and without its body. */
export const writePage = (shown: Shown, page: PageRecord): Promise<Buffer> =>
  write(shown, (writer) => onePage(shown, page, pathOf(shown.tree, page.id) ?? '', writer));

async function write({ tree }: Shown, steps: (writer: JsonWriter) => Steps): Promise<Buffer> {
  const writer = new JsonWriter();
  if (tree.records.size <= FEW) runToEnd(steps(writer));
  else await inSlices(steps(writer));
  return writer.end();
}

function* revisionSteps(shown: Shown, writer: JsonWriter): Steps {
  const { tree, row, addresses } = shown;
  const head = JSON.stringify(presentRevisionHead(row, addresses));
  writer.add(`${head.slice(0, -1)},"pages":[`);
  yield* pageSteps(shown, childrenOf(tree), '', writer);
  writer.add('],"files":[');
  yield* listSteps(tree.files, writer, (id) => presentFile(shown, findFile(tree, id) as FileRecord));
  writer.add('],"reusableContents":[');
  yield* listSteps(tree.reusableContents, writer, (id) =>
    presentReusableContent(shown, findReusableContent(tree, id) as ReusableContentRecord),
  );
  writer.add(`],"variables":${JSON.stringify(variablesOf(tree))}}`);
}

function* listSteps(ids: readonly string[], writer: JsonWriter, present: (id: string) => object): Steps {
  for (const [index, id] of ids.entries()) {
    writer.add((index === 0 ? '' : ',') + JSON.stringify(present(id)));
    if (index % RECORDS_A_STEP === 0) yield;
  }
}

function* pageSteps(shown: Shown, ids: readonly string[], prefix: string, writer: JsonWriter): Steps {
  let separator = '';
  for (const [index, id] of ids.entries()) {
    const page = findPage(shown.tree, id);
    if (!page || (page.type === 'computed' && !shown.computed)) continue;
    writer.add(separator);
    separator = ',';
    yield* onePage(shown, page, hasSlug(page) ? prefix + page.slug : '', writer);
    if (index % RECORDS_A_STEP === 0) yield;
  }
}

/** The last member of a page that can have pages below it is the empty list of them. */
function* onePage(shown: Shown, page: PageRecord, path: string, writer: JsonWriter): Steps {
  const json = JSON.stringify(presentPageAt(shown, page, path));
  const below = hasSlug(page) ? childrenOf(shown.tree, page.id) : [];
  if (below.length === 0) return writer.add(json);
  writer.add(json.slice(0, -']}'.length));
  yield* pageSteps(shown, below, `${path}/`, writer);
  writer.add(']}');
}
