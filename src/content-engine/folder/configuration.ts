import { joinPath } from '../links/index.ts';
import { asMap, asText, parseYamlFile } from './yaml-file.ts';

export const CONFIGURATION = '.gitbook.yaml';

/** The settings in `.gitbook.yaml`. Redirects are read by `redirectsIn`. */
export interface Configuration {
  /** The root of the pages: empty, or a path with a trailing slash. */
  readonly root: string;
  /** Relative to the top of the folder, like all paths. */
  readonly readme: string;
  readonly summary: string;
  readonly problems: readonly string[];
}

export function readConfiguration(text: string | undefined): Configuration {
  const { value, problem } = text === undefined ? {} : parseYamlFile(text);
  const problems = problem === undefined ? [] : [problem];
  const inside = (name: string, path: string, dir: string): string | undefined => {
    const joined = joinPath(dir, path.replace(/^\/+/, ''));
    if (joined === undefined) problems.push(`${name} is outside of the folder`);
    return joined;
  };
  const { root: rootPath, structure } = asMap(value);
  const dir = inside('root', asText(rootPath) ?? '', '') ?? '';
  const { readme, summary } = asMap(structure);
  const below = (name: string, path: unknown, fallback: string): string =>
    (asText(path) === undefined ? undefined : inside(name, asText(path) ?? '', dir)) ??
    joinPath(dir, fallback) ??
    fallback;
  return {
    root: dir === '' ? '' : `${dir}/`,
    readme: below('structure.readme', readme, 'README.md'),
    summary: below('structure.summary', summary, 'SUMMARY.md'),
    problems,
  };
}
