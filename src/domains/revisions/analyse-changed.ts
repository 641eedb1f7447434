import { sizeOfText } from '../../content-engine/size-of-text.ts';
import type { Hash, Load } from '../../content-engine/map/index.ts';
import type { BodyAnalysis } from '../../content-engine/markdown/index.ts';
import type { ContentRecord, Tree } from '../../content-engine/tree/index.ts';
import type { Engine } from './engine.ts';
import { findWithBody, type WithBody } from './read/bodies.ts';
import { nameOf } from './read/render.ts';
import { readText } from './storage/objects.ts';

/** Analyses of bodies, by their hashes. */
export type Analyses = ReadonlyMap<Hash, BodyAnalysis>;

interface Source {
  readonly load: Load;
  readonly engine: Engine;
}

/** Analyses the bodies that a revision brings, each once for all indexes, and unless that was done already. */
export async function analyseChanged(
  { load, engine }: Source,
  before: Tree,
  after: Tree,
  changed: ReadonlyMap<string, ContentRecord | null>,
  known: Analyses,
): Promise<Analyses> {
  const analyses = new Map(known);
  for (const id of changed.keys()) {
    const record = findWithBody(after, id);
    if (!record || !needsAnalysis(before, record) || analyses.has(record.document)) continue;
    const text = await readText(load, record.document);
    const work = { size: sizeOfText(text), what: nameOf(record) };
    analyses.set(record.document, await engine.run('analyseBody', text, work));
  }
  return analyses;
}

/** A new body, or one that becomes searchable. */
function needsAnalysis(before: Tree, record: WithBody): boolean {
  const old = findWithBody(before, record.id);
  return old?.document !== record.document || (isExcluded(old) && !isExcluded(record));
}

const isExcluded = (record: WithBody): boolean => record.kind === 'page' && record.noIndex === true;
