import { pathOf } from '../tree/index.ts';
import { encodePath, isExternal, parseHref, relativePath } from './address.ts';
import { entryHref } from './href-by-id.ts';
import { rootOf, type PathMapping } from './path-mapping.ts';
import { findTarget, withoutFileName } from './resolve-href.ts';

/**
 * An href that leads to `id`, in the form of the given one: a path of slugs, absolute or relative; with or without the
 * extension, or with a trailing slash. Query and anchor are kept. Undefined: no href leads there.
 */
export function formatHref(mapping: PathMapping, dir: string, href: string, id: string): string | undefined {
  const address = parseHref(href);
  if (address === undefined) return undefined;
  for (const path of candidates(mapping, dir, address.path, id)) {
    // A sibling README.md has no name without its extension, and an empty href is the page itself.
    if (path !== '' && findTarget(mapping, dir, path) === id) return path + address.suffix;
  }
  return undefined;
}

const API_FORM = /^\/(pages|files|reusable-content)\/(.+?)((?:\/README)?\.md)?$/i;

/** The previous form first, then other forms. */
function candidates(mapping: PathMapping, dir: string, before: string, id: string): string[] {
  const { tree } = mapping;
  const paths: string[] = [];
  const slugs = pathOf(tree, id);
  const [, kind, name, ending = ''] = API_FORM.exec(before) ?? [];
  const isId = name === id;
  const isSlugs = kind === 'pages' && !isId;
  const isBySlugs = isSlugs && mapping.keepsSlugs;
  if (isBySlugs && slugs !== undefined) paths.push(encodePath(`/pages/${slugs}${ending}`));

  const file = mapping.pathOf(id) ?? (slugs === undefined ? undefined : rootOf(tree) + slugs);
  if (file !== undefined) {
    const isFromRoot = before.startsWith('/') && !isId && !isSlugs;
    const spell = (path: string) => (isFromRoot ? encodePath(`/${path}`) : relative(dir, path, before));
    const hasExtension = isId || isSlugs !== isBySlugs || /\.[a-z0-9]+$/i.test(before);
    if (!hasExtension) {
      const bare = withoutFileName(file);
      // The root folder has no name.
      const spelled = bare === '' ? spell(file).slice(0, -file.length) || './' : spell(bare);
      paths.push(before.endsWith('/') ? spelled.replace(/\/?$/, '/') : spelled.replace(/(.)\/$/, '$1'));
    }
    paths.push(spell(file));
  }
  if (slugs !== undefined) paths.push(encodePath(`/pages/${slugs}`));
  const byId = mapping.knowsIds ? entryHref(tree.records.get(id)?.kind ?? '', id) : undefined;
  if (byId !== undefined) paths.push(byId);
  return paths;
}

/** A name with a colon would be read as a scheme. */
function relative(dir: string, path: string, before: string): string {
  const spelled = encodePath(relativePath(dir, path));
  const isMarked = before.startsWith('./') && !spelled.startsWith('.');
  return isMarked || isExternal(spelled) ? `./${spelled}` : spelled;
}
