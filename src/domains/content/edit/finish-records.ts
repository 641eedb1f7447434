import { coverOf, freePaths, includePath, splitPageSource } from '../../../content-engine/folder/index.ts';
import { linkTable, resolveHref } from '../../../content-engine/links/index.ts';
import { isSame, type Hash } from '../../../content-engine/map/index.ts';
import { analyseBody, type BodyAnalysis } from '../../../content-engine/markdown/index.ts';
import { sizeOfText } from '../../../content-engine/size-of-text.ts';
import {
  deriveTree,
  filePathOf,
  inline,
  ownersOf,
  type Applied,
  type ContentRecord,
  type ContentRef,
  type PageSource,
  type Tree,
} from '../../../content-engine/tree/index.ts';
import { addText, findWithBody, runTask, type WithBody } from '../../content-store/index.ts';
import type { BatchBase } from './batch-context.ts';
import type { ChangeWarning, Head } from './sent-bodies.ts';
import { headWarning } from './source-file.ts';

/** Completes records once all changes are applied: the targets of links, the cover, and the file that an entry is. */
export function finishRecords(
  ctx: Pick<BatchBase, 'isFront'>,
  before: Tree,
  applied: Applied,
  texts: Map<Hash, string>,
  heads: ReadonlyMap<string, Head>,
  describe: (index: number) => string,
) {
  const refs = new Map(
    applied.outcomes.flatMap(({ ref, id }) => (ref === undefined ? [] : [[ref, id] as const])),
  );
  const indexOf = new Map(applied.outcomes.map(({ id, index }) => [id, index]));
  const records = new Map<string, ContentRecord>();
  const analyses = new Map<Hash, BodyAnalysis>();
  const warnings: ChangeWarning[] = [];
  const sourceOf = sourcesIn(applied.tree, texts);
  for (const [id, changed] of applied.changed) {
    const record = changed ? findWithBody(applied.tree, id) : undefined;
    const body = record && texts.get(record.document);
    if (!record || body === undefined) continue;
    const index = indexOf.get(id) ?? 0;
    const analysis = runTask(ctx, { size: sizeOfText(body), what: describe(index) }, () => analyseBody(body));
    analyses.set(record.document, analysis);
    for (const warning of analysis.warnings) warnings.push({ index, warning });
    const table = linkTable(
      applied.tree,
      id,
      analysis.hrefs.map((href) => ({ href })),
      refs,
    );
    const links = Object.keys(table).length > 0 ? storeInline(table, texts) : undefined;
    const head = heads.get(id);
    const cover = head && coverFrom(head, (href) => resolveHref(applied.tree, id, href, refs), warnings);
    const complete = {
      ...record,
      ...(links === undefined ? {} : { links }),
      ...(cover === undefined ? {} : { cover }),
      ...(head === undefined ? {} : sourceOf(record, head)),
    };
    records.set(id, unlessSame(before.records.get(id), complete));
  }
  const complete: Applied = {
    ...applied,
    tree: records.size === 0 ? applied.tree : deriveTree(applied.tree, records),
    changed: new Map([...applied.changed, ...records]),
  };
  return { complete, analyses, warnings };
}

/** A page whose body was sent unchanged remains the same record: not even `updatedAt` changes. */
function unlessSame(before: ContentRecord | undefined, record: ContentRecord): ContentRecord {
  if (before?.kind !== 'page' || record.kind !== 'page') return record;
  const { updatedAt: _now, ...now } = record;
  const { updatedAt: _then, ...then } = before;
  return isSame(now, then) ? before : record;
}

/** The cover that frontmatter names: it may be a file of the same batch. */
function coverFrom(
  { source, frontmatter, index }: Head,
  find: (href: string) => ContentRef | undefined,
  warnings: ChangeWarning[],
) {
  const warn = (message: string) => warnings.push({ index, warning: headWarning(message, frontmatter) });
  return source.fields.cover !== undefined ? coverOf(source.fields, find, warn) : undefined;
}

/** Frontmatter and title line are stored with the path of the entry's file. Parts that were not sent are unchanged. */
function sourcesIn(tree: Tree, texts: Map<Hash, string>) {
  const free = freePaths({ has: (path) => ownersOf(tree, path).length > 0 });
  return (record: WithBody, head: Head) => {
    const { source: before } = record;
    const frontmatter = head.frontmatter === '' ? before?.frontmatter : storeInline(head.frontmatter, texts);
    const titleLine = (!hasOtherTitle(before, head) && before?.titleLine) || head.titleLine;
    if (frontmatter === undefined && titleLine === '') return {};
    const source = {
      path: before?.path ?? filePathOf(tree, record.id) ?? free(includePath(tree, record.title)),
      ...(before?.former !== undefined && { former: before.former }),
      ...(frontmatter === undefined ? {} : { frontmatter }),
      ...(titleLine === '' ? {} : { titleLine }),
    };
    return { source };
  };
}

/** Under frontmatter that stays, the same title keeps its line, and the blank lines around it. */
function hasOtherTitle(before: PageSource | undefined, { frontmatter, source }: Head): boolean {
  if (source.title === '') return false;
  return (
    frontmatter !== '' ||
    splitPageSource(before?.titleLine ?? '', before?.path).titleText !== source.titleText
  );
}

/** Long values are stored out of line. */
export function storeInline<T extends object | string>(value: T, texts: Map<Hash, string>) {
  const inlined = inline(value);
  if (inlined.blob !== undefined) addText(texts, inlined.blob);
  return inlined.value;
}
