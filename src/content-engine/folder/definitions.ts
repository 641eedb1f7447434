import { FOLDER_ID, refuseVariables, VARIABLES_ID } from '../tree/index.ts';
import type {
  FolderRecord,
  TagDefinition,
  Variables,
  VariablesRecord,
  VariableValue,
} from '../tree/index.ts';
import { CONFIGURATION, type Configuration } from './configuration.ts';
import { TAGS, VARIABLES } from './write/export-paths.ts';
import { storeInline, type ImportContext } from './read/import-context.ts';
import { asMap, asText, isMap, linesOf, parseYamlFile, type YamlProblem } from './yaml-file.ts';

function readFile(text: string, isExpected: (value: unknown) => boolean, type: 'map' | 'list') {
  const { value, problem, line } = parseYamlFile(text);
  const problems: YamlProblem[] = [];
  if (problem !== undefined) problems.push({ message: problem, ...(line === undefined ? {} : { line }) });
  else if (value !== null && !isExpected(value)) problems.push({ message: `It is not a ${type}`, line: 1 });
  return { value, problems };
}

/** More would only repeat them. */
const MAX_PROBLEMS = 20;

/** The variables in `vars.yaml`. Invalid names and values are preserved in the text, and the first are reported. */
export function readVariables(text: string): {
  readonly values: Variables;
  readonly problems: readonly YamlProblem[];
} {
  const { value, problems } = readFile(text, isMap, 'map');
  const lineOf = linesOf(text);
  const values = Object.entries(asMap(value)).filter(([name, value]) => {
    const refusal = refuseVariables(Object.fromEntries([[name, value]]));
    if (refusal !== undefined && problems.length < MAX_PROBLEMS)
      problems.push({ message: refusal.message, line: lineOf([name]) });
    return refusal === undefined;
  });
  return { values: Object.fromEntries(values) as Record<string, VariableValue>, problems };
}

/** The tags in `tags.yaml`. */
export function readTags(text: string): {
  readonly tags: readonly TagDefinition[];
  readonly problems: readonly YamlProblem[];
} {
  const { value, problems } = readFile(text, Array.isArray, 'list');
  const tags = (Array.isArray(value) ? (value as unknown[]) : []).flatMap((item) => {
    const tag = asText(asMap(item)['tag']);
    if (tag === undefined) return [];
    const more = ['label', 'icon', 'color'].flatMap((name) => {
      const text = asText(asMap(item)[name]);
      return text === undefined ? [] : [[name, text] as const];
    });
    return [{ tag, ...Object.fromEntries(more) }];
  });
  return { tags, problems };
}

/** Reads the settings of a folder: its record and its variables. */
export function readDefinitions(
  context: ImportContext,
  { root, summary }: Configuration,
): { readonly folder: FolderRecord; readonly variables: readonly VariablesRecord[] } {
  const source = (path: string) => {
    const text = context.text(path);
    return text === undefined ? undefined : { path, text: storeInline(context, text) };
  };
  const readAt = <T extends { readonly problems: readonly YamlProblem[] }>(
    path: string,
    read: (text: string) => T,
  ) => {
    const text = context.text(path);
    const result = text === undefined ? undefined : read(text);
    for (const problem of result?.problems ?? []) context.warnings.push({ path, ...problem });
    return result;
  };
  const [tagsPath, variablesPath] = [root + TAGS, root + VARIABLES];
  const tags = readAt(tagsPath, readTags)?.tags ?? [];
  const values = readAt(variablesPath, readVariables)?.values;
  const [summarySource, configuration, tagsSource, variablesSource] = [
    summary,
    CONFIGURATION,
    tagsPath,
    variablesPath,
  ].map(source);
  return {
    folder: {
      id: FOLDER_ID,
      kind: 'folder',
      ...(root === '' ? {} : { root }),
      ...(summarySource && { summary: summarySource }),
      ...(configuration && { configuration }),
      ...(tags.length > 0 ? { tags } : {}),
      ...(tagsSource && { tagsSource }),
    },
    variables:
      values === undefined || variablesSource === undefined
        ? []
        : [{ id: VARIABLES_ID, kind: 'variables', values, source: variablesSource }],
  };
}
