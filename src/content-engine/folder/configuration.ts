import { joinPath } from '../links/index.ts';
import { asMap, asText, isMap, linesOf, nameOfPath, parseYamlFile } from './yaml-file.ts';
import type { YamlPath, YamlProblem } from './yaml-file.ts';

export const CONFIGURATION = '.gitbook.yaml';

/** The settings in `.gitbook.yaml`. Redirects are read by `redirectsIn`. */
export interface Configuration {
  /** The root of the pages: empty, or a path with a trailing slash. */
  readonly root: string;
  /** Relative to the top of the folder, like all paths. */
  readonly readme: string;
  readonly summary: string;
  readonly problems: readonly YamlProblem[];
}

export function readConfiguration(text: string | undefined): Configuration {
  const { value, problem, line } = text === undefined ? {} : parseYamlFile(text);
  const problems: YamlProblem[] =
    problem === undefined ? [] : [{ message: problem, ...(line === undefined ? {} : { line }) }];
  const lineOf = linesOf(text ?? '');
  const report = (path: YamlPath, message: string) =>
    problems.push({ message: `${nameOfPath(path) || 'It'} ${message}`, line: lineOf(path) });
  /** The text at a path. Undefined: the default holds. */
  const textAt = (path: YamlPath, found: unknown): string | undefined => {
    if (found !== undefined && found !== null && typeof found !== 'string') report(path, 'is not text');
    return asText(found);
  };
  const inside = (name: YamlPath, path: string, dir: string): string | undefined => {
    const joined = joinPath(dir, path.replace(/^\/+/, ''));
    if (joined === undefined) report(name, 'is outside of the folder');
    return joined;
  };
  for (const [path, found] of [
    [[], value],
    [['structure'], asMap(value)['structure']],
    [['redirects'], asMap(value)['redirects']],
  ] as const)
    if (found !== undefined && found !== null && !isMap(found)) report(path, 'is not a map');
  const { root: rootPath, structure } = asMap(value);
  const dir = inside(['root'], textAt(['root'], rootPath) ?? '', '') ?? '';
  const { readme, summary } = asMap(structure);
  const below = (name: string, found: unknown, fallback: string): string => {
    const path = textAt(['structure', name], found);
    return (
      (path === undefined ? undefined : inside(['structure', name], path, dir)) ??
      joinPath(dir, fallback) ??
      fallback
    );
  };
  return {
    root: dir === '' ? '' : `${dir}/`,
    readme: below('readme', readme, 'README.md'),
    summary: below('summary', summary, 'SUMMARY.md'),
    problems,
  };
}
