import { CONFIGURATION, readFolderInSteps, splitPage } from '../../content-engine/folder/index.ts';
import type { Hash } from '../../content-engine/map/index.ts';
import { analyseBody, type BodyAnalysis } from '../../content-engine/markdown/index.ts';
import { buildTree, isPage, referencesOf, type Tree } from '../../content-engine/tree/index.ts';
import { ApiError } from '../../platform/api/errors.ts';
import { newId } from '../../platform/api/ids.ts';
import type { Repository, TreeEntry } from '../../platform/git/index.ts';
import { inSlices } from '../../platform/threads/slices.ts';
import { changesTo, describeFile } from '../content/index.ts';
import { analysesByDocument, cachedFacts, isLarge, storeTexts, type Engine } from '../revisions/index.ts';
import type { CommitContent } from './commit-content.ts';
import { GitFailure } from './git-failure.ts';
import { listFiles, loadFiles, type Earlier, type LoadedFile } from './load-files.ts';
import { readBodies } from './read-bodies.ts';
import { recordsByPath } from './records-by-path.ts';
import type { ManagedFiles } from './state-store.ts';
import type { Work } from './work.ts';

/** Reads the content of a commit. Holds no lock, and the event loop only for moments. */
export async function readCommit(
  work: Work,
  repository: Repository,
  commit: string,
  storeId: string,
  base: Pick<Earlier, 'tree' | 'files'>,
): Promise<CommitContent> {
  const entries = await listFiles(work, repository, commit);
  const files = new Map(entries.map(({ path, oid }) => [path, oid]));
  const earlier = { ...base, records: recordsByPath(base.tree) };
  logChanges(work, earlier.files, files);
  const content =
    (await readBodies(work, repository, entries, storeId, earlier)) ??
    (await readWhole(work, repository, entries, storeId, earlier));
  return { ...content, files };
}

function logChanges({ log }: Work, before: ManagedFiles, now: ManagedFiles): void {
  for (const [path, oid] of now)
    if (before.get(path) !== oid) log.info(before.has(path) ? 'Changed' : 'Added', path);
  for (const path of before.keys()) if (!now.has(path)) log.info('Deleted', path);
}

async function readWhole(
  work: Work,
  repository: Repository,
  entries: readonly TreeEntry[],
  storeId: string,
  earlier: Earlier,
): Promise<Omit<CommitContent, 'files'>> {
  const { ctx, log } = work;
  const loaded = await loadFiles(work, repository, entries, storeId, earlier);
  work.report({ stage: 'content_process' });
  const known = await analysesOf(work, loaded, earlier);
  const analysed = new Map<string, BodyAnalysis>();
  const read = await inSlices(
    readFolderInSteps(loaded, {
      newId,
      now: ctx.now().getTime(),
      previous: earlier.tree,
      describe: describeFile,
      // What was cached has no sections.
      each: (id, analysis) => known.cached.has(analysis) || analysed.set(id, analysis),
      analysisOf: (path) => known.byPath.get(path),
    }),
  );
  for (const { path, message, line } of read.warnings) {
    if (path === CONFIGURATION) throw new GitFailure(`${CONFIGURATION}: ${message}. Nothing was imported.`);
    log.warn(message, path, line);
  }
  if (!read.records.some(isPage)) {
    throw new GitFailure('The directory contains no Markdown page. Nothing was imported.');
  }
  await storeTexts(ctx.db, storeId, newTexts(read.texts, earlier.tree));
  return {
    changed: changesTo(earlier.tree, read.records),
    tree: buildTree(read.records),
    analyses: analysesByDocument(read.records, analysed),
  };
}

/** The texts that the earlier content does not have. */
function newTexts(texts: ReadonlyMap<Hash, string>, { records }: Tree): Map<Hash, string> {
  const added = new Map(texts);
  for (const record of records.values())
    for (const hash of referencesOf(record).documents) added.delete(hash);
  return added;
}

interface KnownAnalyses {
  readonly byPath: ReadonlyMap<string, BodyAnalysis>;
  readonly cached: ReadonlySet<BodyAnalysis>;
}

/** Unchanged pages are not parsed, if their links are cached. Large pages are parsed in threads. */
async function analysesOf(
  { ctx, engine, log }: Work,
  files: readonly LoadedFile[],
  earlier: Earlier,
): Promise<KnownAnalyses> {
  const byPath = new Map<string, BodyAnalysis>();
  const cached = new Set<BodyAnalysis>();
  for (const file of files) {
    if (!('bytes' in file) || !/\.md$/i.test(file.path)) continue;
    const { path, oid, bytes } = file;
    const facts = earlier.files.get(path) === oid ? factsAt(ctx, earlier, path) : undefined;
    if (facts) {
      const analysis = { ...facts, sections: [], warnings: [] };
      byPath.set(path, analysis);
      cached.add(analysis);
    } else if (isLarge(bytes.length)) {
      const { body } = splitPage(Buffer.from(bytes).toString('utf8'));
      byPath.set(path, await analyseLarge(engine, path, body, (message) => log.warn(message, path)));
    }
  }
  return { byPath, cached };
}

function factsAt(ctx: Work['ctx'], { records }: Earlier, path: string) {
  const record = records.get(path);
  return record && 'document' in record ? cachedFacts(ctx, record.document) : undefined;
}

/** A page that exceeds the limits is imported, but its text is not searchable. */
async function analyseLarge(
  engine: Engine,
  path: string,
  body: string,
  warn: (message: string) => void,
): Promise<BodyAnalysis> {
  try {
    return await engine.run('analyseBody', body, { size: body.length, what: path });
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 413)) throw error;
    warn(`${error.message} It is imported unchanged, but its text is not searchable.`);
    return analyseBody('');
  }
}
