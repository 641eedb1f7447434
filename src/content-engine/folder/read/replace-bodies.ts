import { isBudgetExceeded } from '../../budget.ts';
import { linkTable, targetOf } from '../../links/index.ts';
import { hashOf, isSame, type Hash } from '../../map/index.ts';
import { analyseBody, type BodyAnalysis } from '../../markdown/index.ts';
import {
  inline,
  isOutOfLine,
  type ContentRecord,
  type DocumentPage,
  type LinkTable,
  type ReusableContentRecord,
  type Tree,
} from '../../tree/index.ts';
import { lineCounter, splitInclude, splitPage, type FileParts } from '../split-file.ts';
import type { FolderWarning } from './import-context.ts';

/** A changed file of a page or of reusable content. */
export interface ChangedFile {
  readonly path: string;
  readonly text: string;
  readonly record: ContentRecord;
}

export interface ReplacedBodies {
  readonly changed: ReadonlyMap<string, ContentRecord>;
  readonly texts: ReadonlyMap<Hash, string>;
  readonly analyses: ReadonlyMap<Hash, BodyAnalysis>;
  readonly warnings: readonly FolderWarning[];
}

/**
 * Reads files of which only bodies changed, as `readFolder` would read them in the whole folder. Undefined where more
 * changed: the folder has to be read whole.
 */
export function replaceBodies(
  tree: Tree,
  files: readonly ChangedFile[],
  now: number,
): ReplacedBodies | undefined {
  const changed = new Map<string, ContentRecord>();
  const texts = new Map<Hash, string>();
  const analyses = new Map<Hash, BodyAnalysis>();
  const warnings: FolderWarning[] = [];
  for (const { path, text, record } of files) {
    if (!hasBody(record)) return undefined;
    const parts = record.kind === 'page' ? splitPage(text, path) : splitInclude(text);
    if (!hasSameHead(record, path, parts)) return undefined;
    const analysis = analysisOf(parts.body);
    if (analysis === undefined) return undefined;
    const hrefs = analysis.hrefs.map((href) => ({ href }));
    const { value: links, blob } = inline(linkTable(tree, record.id, hrefs));
    // A file that nothing links to any more, or for the first time, changes too.
    if (blob !== undefined || !linksToSameFiles(record, links as LinkTable)) return undefined;
    const document = hashOf(parts.body);
    texts.set(document, parts.body);
    analyses.set(document, analysis);
    const { links: _links, ...rest } = record;
    changed.set(record.id, {
      ...rest,
      document,
      ...(Object.keys(links).length === 0 ? {} : { links }),
      ...(record.kind === 'page' ? { updatedAt: now } : {}),
    } as ContentRecord);
    const head = parts.frontmatter.length + parts.titleLine.length;
    const lineOf = lineCounter(text);
    for (const { message, start } of analysis.warnings)
      warnings.push({ path, message, line: lineOf(head + start) });
  }
  return { changed, texts, analyses, warnings };
}

/** Undefined where a body exceeds the limits: the import of the whole folder reports it. */
function analysisOf(body: string): BodyAnalysis | undefined {
  try {
    return analyseBody(body);
  } catch (error) {
    if (isBudgetExceeded(error)) return undefined;
    throw error;
  }
}

type WithBody = DocumentPage | ReusableContentRecord;

const hasBody = (record: ContentRecord): record is WithBody => 'document' in record;

function hasSameHead({ source }: WithBody, path: string, { frontmatter, titleLine }: FileParts): boolean {
  if (source?.path !== path || (source.titleLine ?? '') !== titleLine) return false;
  const before = source.frontmatter;
  return before === undefined ? frontmatter === '' : isSame(before, inline(frontmatter).value);
}

function linksToSameFiles({ links }: WithBody, table: LinkTable): boolean {
  if (links !== undefined && isOutOfLine(links)) return false;
  const filesIn = (refs: LinkTable): string[] =>
    [
      ...new Set(Object.values(refs).flatMap((ref) => (ref.kind === 'file' ? (targetOf(ref) ?? []) : []))),
    ].toSorted();
  return isSame(filesIn((links as LinkTable | undefined) ?? {}), filesIn(table));
}
