import { joinPath } from '../links/index.ts';
import { isMap, linesOf, nameOfPath, parseYamlFile, type YamlPath, type YamlProblem } from './yaml-file.ts';

/** Names of the file that describes a site of several spaces. The first one wins. */
export const SITE_CONFIGURATIONS = ['docs.yaml', 'gitbook-docs.yaml'] as const;

/** A directory that is the content of a space, from the root of the repository. */
export interface SiteDirectory {
  readonly path: string;
  readonly line: number;
}

export interface SiteConfiguration {
  /** Each directory once. Spaces that are not synchronized have none. */
  readonly directories: readonly SiteDirectory[];
  readonly problems: readonly YamlProblem[];
}

/** Reads the directories of the spaces of a site. `project`: the directory that contains the file. */
export function readSiteConfiguration(text: string, project: string): SiteConfiguration {
  const { value, problem, line } = parseYamlFile(text);
  if (problem !== undefined)
    return { directories: [], problems: [{ message: problem, ...(line === undefined ? {} : { line }) }] };
  const lineOf = linesOf(text);
  const directories = new Map<string, SiteDirectory>();
  const problems: YamlProblem[] = [];
  const report = (path: YamlPath, message: string): void => {
    problems.push({ message: `${nameOfPath(path) || 'It'} ${message}`, line: lineOf(path) });
  };
  const mapAt = (path: YamlPath, found: unknown): Readonly<Record<string, unknown>> => {
    if (isMap(found)) return found;
    if (found !== undefined && found !== null) report(path, 'is not a map');
    return {};
  };
  const readDirectory = (path: YamlPath, found: unknown) => {
    // Null: the space is not synchronized.
    if (found === undefined || found === null) return;
    if (typeof found !== 'string') return report(path, 'is not the path of a directory');
    const directory = joinPath(project, found);
    if (directory === undefined) return report(path, 'is outside of the repository');
    if (!directories.has(directory)) directories.set(directory, { path: directory, line: lineOf(path) });
  };
  const readEntries = (path: YamlPath, found: unknown) => {
    if (found === undefined || found === null) return;
    if (!Array.isArray(found)) return report(path, 'is not a list');
    for (const [index, item] of (found as unknown[]).entries()) {
      const at = [...path, index];
      const entry = mapAt(at, item);
      const content = mapAt([...at, 'content'], entry['content']);
      readDirectory([...at, 'content', 'directory'], content['directory']);
      readEntries([...at, 'children'], entry['children']);
    }
  };
  const { site } = mapAt([], value);
  readEntries(['site', 'structure'], mapAt(['site'], site)['structure']);
  return { directories: [...directories.values()], problems };
}
