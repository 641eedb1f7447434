import { sizeOfText } from '../../../content-engine/size-of-text.ts';
import type { Load } from '../../../content-engine/map/index.ts';
import { analyseBody } from '../../../content-engine/markdown/index.ts';
import type { ContentRecord, Tree } from '../../../content-engine/tree/index.ts';
import { requireSmall } from '../../../platform/api/too-large-here.ts';
import {
  type Analyses,
  findWithBody,
  nameOf,
  readText,
  runTask,
  type WithBody,
} from '../../content-store/index.ts';

interface Source {
  readonly load: Load;
  readonly isFront: boolean;
}

/** Analyses the bodies that a revision brings, each once for all indexes, and unless that was done already. */
export async function analyseChanged(
  source: Source,
  before: Tree,
  after: Tree,
  changed: ReadonlyMap<string, ContentRecord | null>,
  known: Analyses,
): Promise<Analyses> {
  const analyses = new Map(known);
  let total = 0;
  for (const id of changed.keys()) {
    const record = findWithBody(after, id);
    if (!record || !needsAnalysis(before, record) || analyses.has(record.document)) continue;
    const text = await readText(source.load, record.document);
    const work = { size: sizeOfText(text), what: nameOf(record) };
    total += work.size;
    requireSmall(source, 'text', total);
    analyses.set(
      record.document,
      runTask(source, work, () => analyseBody(text)),
    );
  }
  return analyses;
}

/** A new body, or one that becomes searchable. */
function needsAnalysis(before: Tree, record: WithBody): boolean {
  const old = findWithBody(before, record.id);
  return old?.document !== record.document || (isExcluded(old) && !isExcluded(record));
}

const isExcluded = (record: WithBody): boolean => record.kind === 'page' && record.noIndex === true;
