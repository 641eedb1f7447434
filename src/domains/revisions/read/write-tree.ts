import {
  childrenOf,
  descendantsOf,
  expandedPages,
  findFile,
  findFolder,
  findPage,
  findReusableContent,
  hasSlug,
  pathOf,
  variablesOf,
  type FileRecord,
  type PageRecord,
  type ReusableContentRecord,
} from '../../../content-engine/tree/index.ts';
import type { Context } from '../../../platform/api/context.ts';
import { requireSmall } from '../../../platform/api/too-large-here.ts';
import {
  presentFile,
  presentPageAt,
  presentReusableContent,
  presentRevisionHead,
  presentTag,
  type Shown,
} from '../present.ts';
import { JsonWriter } from './json-writer.ts';

type WrittenTree = Shown & Pick<Context, 'isFront'>;

export function writeRevision(shown: WrittenTree): Buffer {
  const { tree, row, addresses } = shown;
  requireSmall(shown, 'items', tree.records.size);
  const writer = new JsonWriter();
  const head = JSON.stringify(presentRevisionHead(row, addresses));
  writer.add(`${head.slice(0, -1)},"pages":[`);
  addPages(shown, childrenOf(tree), '', writer);
  writer.add('],"files":[');
  addList(tree.files, writer, (id) => presentFile(shown, findFile(tree, id) as FileRecord));
  writer.add('],"reusableContents":[');
  addList(tree.reusableContents, writer, (id) =>
    presentReusableContent(shown, findReusableContent(tree, id) as ReusableContentRecord),
  );
  const tags = (findFolder(tree)?.tags ?? []).map(presentTag);
  writer.add(`],"tags":${JSON.stringify(tags)},"variables":${JSON.stringify(variablesOf(tree))}}`);
  return writer.end();
}

export function writePages(shown: WrittenTree): Buffer {
  requireSmall(shown, 'items', shown.tree.records.size);
  const writer = new JsonWriter();
  writer.add('{"pages":[');
  addPages(shown, childrenOf(shown.tree), '', writer);
  writer.add(']}');
  return writer.end();
}

/** A page with the pages below it and without its body. */
export function writePage(shown: WrittenTree, page: PageRecord): Buffer {
  const { tree } = shown;
  requireSmall(shown, 'items', descendantsOf(tree, page.id).length);
  const writer = new JsonWriter();
  addPage(shown, page, pathOf(tree, page.id) ?? '', writer);
  return writer.end();
}

function addList(ids: readonly string[], writer: JsonWriter, present: (id: string) => object): void {
  for (const [index, id] of ids.entries()) writer.add((index === 0 ? '' : ',') + JSON.stringify(present(id)));
}

function addPages(shown: Shown, ids: readonly string[], prefix: string, writer: JsonWriter): void {
  let separator = '';
  for (const id of ids) {
    const page = findPage(shown.tree, id);
    if (!page || isReplaced(shown, page)) continue;
    writer.add(separator);
    separator = ',';
    addPage(shown, page, hasSlug(page) ? prefix + page.slug : '', writer);
  }
}

/** An entry of computed pages and its pages are never both among the pages. */
function isReplaced({ tree, computed }: Shown, page: PageRecord): boolean {
  const expansions = expandedPages(tree);
  if (page.type === 'computed') return computed && expansions.has(page.id);
  return !computed && page.type === 'document' && expansions.has(page.generated?.entry ?? '');
}

/** The last member of a page that can have pages below it is the empty list of them. */
function addPage(shown: Shown, page: PageRecord, path: string, writer: JsonWriter): void {
  const json = JSON.stringify(presentPageAt(shown, page, path));
  const below = hasSlug(page) ? childrenOf(shown.tree, page.id) : [];
  if (below.length === 0) return writer.add(json);
  writer.add(json.slice(0, -']}'.length));
  addPages(shown, below, `${path}/`, writer);
  writer.add(']}');
}
