import { CONFIGURATION, type Configuration } from './configuration.ts';
import type { ImportContext } from './import-context.ts';
import { asMap, linesOf, parseYamlFile, type YamlPath } from './yaml-file.ts';

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
