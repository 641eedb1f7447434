import { pathOf } from '../tree/index.ts';
import { encodePath, isOutside, readAddress, relativePath } from './address.ts';
import { rootOf, type Folder } from './path-mapping.ts';
import { findTarget, withoutFileName } from './resolve-href.ts';

/**
 * An href that leads to `id`, in the form of the one that did: a path of slugs, from the root of the folder, or
 * relative; with or without the extension, or with the slash of a folder. Query and anchor stay. Undefined: nothing leads there.
 */
export function spellHref(folder: Folder, dir: string, href: string, id: string): string | undefined {
  const address = readAddress(href);
  if (address === undefined) return undefined;
  for (const path of spellings(folder, dir, address.path, id)) {
    // Of README.md beside it, no name is left without the extension; an empty address is the page itself.
    if (path !== '' && findTarget(folder, dir, path) === id) return path + address.suffix;
  }
  return undefined;
}

const API_FORM = /^\/(pages|files|reusable-content)\/(.+?)((?:\/README)?\.md)?$/i;

/** The form it had comes first; where that cannot lead there, others follow. */
function* spellings(folder: Folder, dir: string, before: string, id: string): Iterable<string> {
  const { tree } = folder;
  const slugs = pathOf(tree, id);
  const [, kind, name, ending = ''] = API_FORM.exec(before) ?? [];
  const isId = name === id;
  const isSlugs = kind === 'pages' && !isId;
  const isBySlugs = isSlugs && folder.keepsSlugs;
  if (isBySlugs && slugs !== undefined) yield encodePath(`/pages/${slugs}${ending}`);

  const file = folder.pathOf(id) ?? (slugs === undefined ? undefined : rootOf(tree) + slugs);
  if (file !== undefined) {
    const isFromRoot = before.startsWith('/') && !isId && !isSlugs;
    const spell = (path: string) => (isFromRoot ? encodePath(`/${path}`) : relative(dir, path, before));
    const hasExtension = isId || isSlugs !== isBySlugs || /\.[a-z0-9]+$/i.test(before);
    if (!hasExtension) {
      const bare = withoutFileName(file);
      // The folder at the top has no name.
      const spelled = bare === '' ? spell(file).slice(0, -file.length) || './' : spell(bare);
      yield before.endsWith('/') ? spelled.replace(/\/?$/, '/') : spelled.replace(/(.)\/$/, '$1');
    }
    yield spell(file);
  }
  if (slugs !== undefined) yield encodePath(`/pages/${slugs}`);
  if (folder.knowsIds) yield `/${FAMILY[tree.records.get(id)?.kind ?? ''] ?? ''}/${id}`;
}

const FAMILY: Readonly<Record<string, string>> = {
  page: 'pages',
  file: 'files',
  'reusable-content': 'reusable-content',
};

/** A name with a colon would be a scheme. */
function relative(dir: string, path: string, before: string): string {
  const spelled = encodePath(relativePath(dir, path));
  const isMarked = before.startsWith('./') && !spelled.startsWith('.');
  return isMarked || isOutside(spelled) ? `./${spelled}` : spelled;
}
