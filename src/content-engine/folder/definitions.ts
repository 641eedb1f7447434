import { FOLDER_ID, refuseVariables, VARIABLES_ID } from '../tree/index.ts';
import type {
  FolderRecord,
  TagDefinition,
  Variables,
  VariablesRecord,
  VariableValue,
} from '../tree/index.ts';
import { CONFIGURATION, type Configuration } from './configuration.ts';
import { TAGS, VARIABLES } from './export-paths.ts';
import { storeInline, type ImportContext } from './import-context.ts';
import { asMap, asText, parseYamlFile } from './yaml-file.ts';

/** The variables in `vars.yaml`. Invalid names and values are reported, and preserved in the text. */
export function readVariables(text: string): {
  readonly values: Variables;
  readonly problems: readonly string[];
} {
  const { value, problem } = parseYamlFile(text);
  const problems = problem === undefined ? [] : [problem];
  const values = Object.entries(asMap(value)).filter(([name, value]) => {
    const refusal = refuseVariables(Object.fromEntries([[name, value]]));
    if (refusal !== undefined) problems.push(refusal.message);
    return refusal === undefined;
  });
  return { values: Object.fromEntries(values) as Record<string, VariableValue>, problems };
}

/** The tags in `tags.yaml`. */
export function readTags(text: string): {
  readonly tags: readonly TagDefinition[];
  readonly problems: readonly string[];
} {
  const { value, problem } = parseYamlFile(text);
  const problems = problem === undefined ? [] : [problem];
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
  const readAt = <T extends { readonly problems: readonly string[] }>(
    path: string,
    read: (text: string) => T,
  ) => {
    const text = context.text(path);
    const result = text === undefined ? undefined : read(text);
    for (const message of result?.problems ?? []) context.warnings.push({ path, message });
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
