import { coverOf, freePaths, includePath } from '../../content-engine/folder/index.ts';
import { resolveHref } from '../../content-engine/links/index.ts';
import { isSame, type Hash } from '../../content-engine/map/index.ts';
import type { Section } from '../../content-engine/document/index.ts';
import type { Warning } from '../../content-engine/markdown/index.ts';
import type { BodyAnalysis } from '../../content-engine/tasks.ts';
import {
  deriveTree,
  filePathOf,
  inline,
  ownersOf,
  type Applied,
  type ContentRecord,
  type ContentRef,
  type DocumentPage,
  type ReusableContentRecord,
  type Tree,
} from '../../content-engine/tree/index.ts';
import { ownerOf, type Head } from './draft.ts';
import type { Engine } from './engine.ts';
import { headWarning } from './new-source.ts';
import type { Texts } from './objects.ts';
import { linkTableOf, nameOf } from './render.ts';

/** What could only be known when all changes were applied: where links lead, and which file a page is. */
export async function completed(
  engine: Engine,
  before: Tree,
  applied: Applied,
  texts: Texts,
  heads: ReadonlyMap<string, Head>,
  analyses: ReadonlyMap<Hash, BodyAnalysis>,
) {
  const refs = new Map(
    applied.outcomes.flatMap(({ ref, id }) => (ref === undefined ? [] : [[ref, id] as const])),
  );
  const indexOf = new Map(applied.outcomes.map(({ id, index }) => [id, index]));
  const records = new Map<string, ContentRecord>();
  const sections = new Map<string, readonly Section[]>();
  const warnings: { index: number; warning: Warning }[] = [];
  const sourceOf = sourcesIn(applied.tree, texts);
  for (const [id, changed] of applied.changed) {
    const record = changed && ownerOf(applied.tree, id);
    const body = record && texts.objects.get(record.document);
    if (!record || !body) continue;
    const index = indexOf.get(id) ?? 0;
    const what = `${nameOf(record)} (body.changes.${index})`;
    const analysis = analyses.get(record.document) ?? (await analyse(engine, body, what));
    sections.set(record.document, analysis.sections);
    for (const warning of analysis.warnings) warnings.push({ index, warning });
    const table = await linkTableOf(applied.tree, id, analysis.hrefs, refs);
    const links = Object.keys(table).length > 0 ? stored(table, texts) : undefined;
    const head = heads.get(id);
    const cover = head && coverFrom(head, (href) => resolveHref(applied.tree, id, href, refs), warnings);
    const complete = {
      ...record,
      ...(links === undefined ? {} : { links }),
      ...(cover === undefined ? {} : { cover }),
      ...(head === undefined ? {} : sourceOf(record, head)),
    };
    records.set(id, asBefore(before.records.get(id), complete));
  }
  const complete: Applied = {
    ...applied,
    tree: records.size === 0 ? applied.tree : deriveTree(applied.tree, records),
    changed: new Map([...applied.changed, ...records]),
  };
  return { complete, sections, warnings };
}

function analyse(engine: Engine, body: Uint8Array, what: string): Promise<BodyAnalysis> {
  const text = Buffer.from(body).toString('utf8');
  return engine.run('analyseBody', text, { size: text.length, what });
}

/** A body that was sent as it is makes no other page, not even a later one. */
function asBefore(before: ContentRecord | undefined, record: ContentRecord): ContentRecord {
  if (before?.kind !== 'page' || record.kind !== 'page') return record;
  const { updatedAt: _now, ...now } = record;
  const { updatedAt: _then, ...then } = before;
  return isSame(now, then) ? before : record;
}

/** The cover that frontmatter names: it may be a file of the same batch. */
function coverFrom(
  { source, frontmatter, index }: Head,
  find: (href: string) => ContentRef | undefined,
  warnings: { index: number; warning: Warning }[],
) {
  const warn = (message: string) => warnings.push({ index, warning: headWarning(message, frontmatter) });
  return source.fields.cover !== undefined ? coverOf(source.fields, find, warn) : undefined;
}

/** What stood before a body is kept with the file that the entry is or would be; what it does not bring stays. */
function sourcesIn(tree: Tree, texts: Texts) {
  const free = freePaths({ has: (path) => ownersOf(tree.sources, path).length > 0 });
  return (record: DocumentPage | ReusableContentRecord, head: Head) => {
    const { source: before } = record;
    const frontmatter = head.frontmatter === '' ? before?.frontmatter : stored(head.frontmatter, texts);
    const titleLine = (head.source.title === '' && before?.titleLine) || head.titleLine;
    if (frontmatter === undefined && titleLine === '') return {};
    const source = {
      path: before?.path ?? filePathOf(tree, record.id) ?? free(includePath(tree, record.title)),
      ...(frontmatter === undefined ? {} : { frontmatter }),
      ...(titleLine === '' ? {} : { titleLine }),
    };
    return { source };
  };
}

function stored<T extends object | string>(value: T, texts: Texts) {
  const inlined = inline(value);
  if (inlined.blob !== undefined) texts.add(inlined.blob);
  return inlined.value;
}
