import { isExternal, joinPath } from '../../links/index.ts';
import { asText, isMap, parseYamlFile } from '../yaml-file.ts';
import type { Navigation, NavigationEntry, NavigationSource } from './entries.ts';

const FILES = ['mkdocs.yml', 'mkdocs.yaml'];

/** `nav` of `mkdocs.yml`. Without it, MkDocs lists the folder, as we do. */
export function readMkDocs({ text }: NavigationSource, root: string): Navigation | undefined {
  const file = FILES.map((name) => root + name).find((path) => text(path) !== undefined);
  const settings = file === undefined ? undefined : text(file);
  if (file === undefined || settings === undefined) return undefined;
  const lines = settings.split(/\r\n?|\n/);
  const start = lines.findIndex((line) => /^nav\s*:/.test(line));
  if (start < 0) return undefined;
  const rest = lines.slice(start + 1);
  const end = rest.findIndex((line) => /^[^\s#-]/.test(line));
  // The other settings may contain tags that name code.
  const block = [lines[start], ...(end < 0 ? rest : rest.slice(0, end))].join('\n');
  const { value, problem, line = 1 } = parseYamlFile(block);
  if (problem !== undefined)
    return { file, entries: [], problems: [{ message: `nav: ${problem}`, line: start + line }] };
  const docs = /^docs_dir:\s*["']?([^"'#\r\n]+)/m.exec(settings)?.[1]?.trim() ?? 'docs';
  const nav = isMap(value) ? value['nav'] : undefined;
  return {
    file,
    entries: entriesOf(nav, (path) => joinPath(joinPath('', `${root}${docs}`) ?? '', path)),
    problems: [],
  };
}

const entriesOf = (list: unknown, pathOf: (path: string) => string | undefined): NavigationEntry[] =>
  (Array.isArray(list) ? (list as unknown[]) : []).flatMap((item): NavigationEntry[] => {
    const named = isMap(item) ? Object.entries(item) : [[undefined, item] as const];
    return named.map(([title, value]) => {
      const target = asText(value);
      if (target === undefined) return { title, entries: entriesOf(value, pathOf) };
      return isExternal(target) ? { title, href: target } : { title, path: pathOf(target) ?? target };
    });
  });
