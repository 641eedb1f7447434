import { joinPath } from '../links/index.ts';
import {
  asText,
  isMap,
  nameOfPath,
  type YamlPath,
  type YamlProblem,
  asMap,
  linesOf,
  parseYamlFile,
} from './yaml-file.ts';
import type { ImportContext } from './read/import-context.ts';

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

/** Reports what the configuration names and the folder does not have. Without pages at the root, it cannot be used. */
export function reportMissing(
  { files, text: textAt, warnings }: ImportContext,
  { root, readme, summary, problems }: Configuration,
): void {
  const text = textAt(CONFIGURATION);
  if (text === undefined || problems.length > 0) return;
  const lineOf = linesOf(text);
  const report = (path: YamlPath, message: string, file?: string) =>
    warnings.push({
      path: CONFIGURATION,
      message: `${path.join('.')}: ${message}`,
      line: lineOf(path),
      ...(file === undefined ? {} : { file }),
    });
  const stated = asMap(asMap(parseYamlFile(text).value)['structure']);
  for (const [name, file] of Object.entries({ readme, summary }))
    if (typeof stated[name] === 'string' && !files.has(file))
      report(['structure', name], `There is no ${file}`, file);
  if (root !== '' && ![...files.keys()].some((path) => path.startsWith(root)))
    report(['root'], `There is no directory ${root.slice(0, -1)}`);
}
