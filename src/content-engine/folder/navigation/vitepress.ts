import { decode, isExternal, joinPath } from '../../links/index.ts';
import { asText, isMap } from '../yaml-file.ts';
import type { Navigation, NavigationEntry, NavigationSource } from './entries.ts';
import { readProperty, type Literal } from './literal.ts';

const CONFIG = /^(?:docs\/)?\.vitepress\/config(?:\/index)?\.[cm]?[jt]s$/;

/** `sidebar` of `.vitepress/config`, where it is data. */
export function readVitePress(source: NavigationSource, root: string): Navigation | undefined {
  const file = source.paths.find((path) => path.startsWith(root) && CONFIG.test(path.slice(root.length)));
  const text = file === undefined ? undefined : source.text(file);
  if (file === undefined || text === undefined) return undefined;
  const { value, isPlain } = readProperty(text, 'sidebar');
  const srcDir = readProperty(text, 'srcDir').value;
  const folder = file.slice(0, file.indexOf('.vitepress/'));
  const base = joinPath('', `${folder}${typeof srcDir === 'string' ? srcDir : ''}`) ?? '';
  const pathOf = (link: string): string => pageOf(source, base, link);
  const entries = Array.isArray(value)
    ? entriesOf(value, '', pathOf)
    : Object.values(isMap(value) ? (value as Record<string, Literal>) : {}).flatMap((one) =>
        Array.isArray(one) ? entriesOf(one, '', pathOf) : entriesBelow(one, '', pathOf),
      );
  const message = entries.length === 0 ? 'sidebar is not plain data' : 'a part of sidebar is not plain data';
  return { file, entries, problems: isPlain ? [] : [{ message: `${message}: code is not run` }] };
}

type PathOf = (link: string) => string;

const entriesBelow = (item: Literal, base: string, pathOf: PathOf): NavigationEntry[] => {
  const members = isMap(item) ? item : {};
  return Array.isArray(members['items'])
    ? entriesOf(members['items'] as Literal[], asText(members['base']) ?? base, pathOf)
    : [];
};

function entriesOf(items: readonly Literal[], base: string, pathOf: PathOf): NavigationEntry[] {
  return items.flatMap((item): NavigationEntry[] => {
    if (!isMap(item)) return [];
    const [title, link] = [asText(item['text']), asText(item['link'])];
    const entries = entriesBelow(item as Literal, base, pathOf);
    if (link === undefined) return [{ title, entries }];
    return [{ title, entries, ...(isExternal(link) ? { href: link } : { path: pathOf(base + link) }) }];
  });
}

/** The file of a link: `/guide/` is its index. */
function pageOf({ isPage }: NavigationSource, base: string, link: string): string {
  const clean = decode(link.split(/[?#]/, 1)[0] ?? '').replace(/\.(?:html|md)$/, '');
  const path = joinPath(base, clean.replace(/^\/+/, '')) ?? clean;
  const below = path === '' || path.endsWith('/') ? path : `${path}/`;
  const candidates = [`${path.replace(/\/$/, '')}.md`, `${below}index.md`, `${below}README.md`];
  return candidates.find(isPage) ?? candidates[0] ?? link;
}
