import {
  CONFIGURATION,
  readSiteConfiguration,
  SITE_CONFIGURATIONS,
  textOf,
} from '../../content-engine/folder/index.ts';
import type { Repository, TreeEntry } from '../../platform/git/index.ts';
import { GitFailure, placeOf } from './operations/git-failure.ts';
import type { Work } from './operations/work.ts';

export interface ContentDirectory {
  /** The path from the root of the repository. */
  readonly path: string;
  /** The error if the commit does not have it. */
  readonly missing: () => GitFailure;
}

export const isSiteConfiguration = (path: string): boolean =>
  SITE_CONFIGURATIONS.some((name) => name === path);

/** A directory that has one of these files is a space itself (decision 51). */
const OF_A_SPACE: readonly string[] = [CONFIGURATION, 'SUMMARY.md'];

const MAX_SIZE = 1024 * 1024;

/**
 * The directory of a commit that contains the content of the space: that of the request, or the only one that a `docs.yaml`
 * in it names. Its files are found by name, because the rest of the repository may be large.
 */
export async function findContentDirectory(
  work: Work,
  repository: Repository,
  commit: string,
): Promise<ContentDirectory> {
  const { log, operation } = work;
  const { directory: project } = operation.request;
  const whole = {
    path: project,
    missing: () => new GitFailure(`The repository has no directory "${project}".`),
  };
  const names = [...SITE_CONFIGURATIONS, ...OF_A_SPACE];
  const found = await repository.findFiles(commit, project, names);
  const byName = new Map(
    found.flatMap((entry) =>
      entry.kind === 'file' || entry.kind === 'executable' ? [[entry.path, entry] as const] : [],
    ),
  );
  const [entry, ignored] = SITE_CONFIGURATIONS.flatMap((name) => byName.get(name) ?? []);
  if (!entry) return whole;
  if (ignored) log.warn(`Not used: ${entry.path} is read instead`, ignored.path);
  const { directories, problems } = await readEntry(repository, entry, project);
  const [problem] = problems;
  const own = OF_A_SPACE.find((name) => byName.has(name));
  const paths = directories.map(({ path }) => path);
  if (own !== undefined) {
    // The space does not depend on it.
    if (problem) log.warn(problem.message, entry.path, problem.line);
    else if (paths.some((path) => path !== project))
      log.warn(`Not used: this directory has its own ${own}, and is synchronized whole`, entry.path);
    return whole;
  }
  if (problem)
    throw new GitFailure(`${placeOf(entry.path, problem.line)}: ${problem.message}. Nothing was changed.`);
  const [only, ...more] = directories;
  if (!only || paths.includes(project)) return whole;
  if (more.length > 0) throw severalDirectories(entry.path, paths);
  log.info(`The content is in the directory ${quote(only.path)}`, entry.path);
  return {
    path: only.path,
    missing: () =>
      new GitFailure(
        `${placeOf(entry.path, only.line)}: The repository has no directory ${quote(only.path)}. Nothing was changed.`,
      ),
  };
}

async function readEntry(repository: Repository, { oid, size }: TreeEntry, project: string) {
  if (size > MAX_SIZE) return { directories: [], problems: [{ message: 'It is too long to be read' }] };
  for await (const bytes of repository.readBlobs([oid])) {
    const text = textOf(bytes);
    if (text !== undefined) return readSiteConfiguration(text, project);
  }
  return { directories: [], problems: [{ message: 'It is not UTF-8' }] };
}

const SHOWN = 20;

function severalDirectories(file: string, paths: readonly string[]): GitFailure {
  const shown = paths.slice(0, SHOWN).map(quote).join(', ');
  const rest = paths.length > SHOWN ? ` and ${paths.length - SHOWN} more` : '';
  return new GitFailure(
    `${file} names several directories: ${shown}${rest}. A space has the content of one: set repoProjectDirectory, or ` +
      'directory of the connected repository, to one of them. Nothing was changed.',
  );
}

/** The root of the repository is "/". */
const quote = (path: string): string => JSON.stringify(path === '' ? '/' : path.slice(0, 200));
