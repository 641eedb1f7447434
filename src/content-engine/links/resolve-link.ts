import { defaultRef } from '../document/index.ts';
import { findReusableContent, type Tree } from '../tree/index.ts';
import { decode, encodePath, isExternal, joinPath, parseHref } from './address.ts';
import { wantedName } from './link-names.ts';
import { cleanAnchor, entryOf, isPresent, targetOfRef, type Entry, type LinkTarget } from './link-target.ts';
import { baseDirectoryOf, currentPaths } from './path-mapping.ts';
import { resolveIn } from './resolve-href.ts';

/** Schemes that carry their content in the address, or run it: no links. */
const NO_LINK = /^[\0-\x20]*(?:data|blob|javascript|vbscript):/i;
const OWN_SCHEME = 'octavo:';

/** An href of a source, resolved. */
export interface ResolvedHref {
  readonly target: LinkTarget;
  /** The entry that the link is about by its id: of the link table, or of an address by id. */
  readonly entry?: Entry;
  /** The name of the entry that an href asks for, if it is a path. */
  readonly wanted?: string;
  /** The path alone decides: the href has no entry by id that is present. */
  readonly isLoose: boolean;
}

/** Resolves the hrefs of one source. `entry`: the target by the link table. Undefined: the href is no link. */
export type ResolveLink = (href: string, entry?: Entry) => ResolvedHref | undefined;

export function linkResolver(tree: Tree, sourceId: string): ResolveLink {
  const mapping = currentPaths(tree);
  const dir = baseDirectoryOf(mapping, sourceId);
  const kind = findReusableContent(tree, sourceId) ? 'reusable-content' : 'page';
  const source: Entry = { kind, id: sourceId };
  return (href, entry) => {
    if (href === '' || NO_LINK.test(href)) return undefined;
    if (href.startsWith(OWN_SCHEME)) {
      const ref = defaultRef(href, 'link');
      const target = targetOfRef(ref, source);
      const named = entryOf(ref);
      return (
        target && { target, ...(named && target.kind !== 'missing' ? { entry: named } : {}), isLoose: false }
      );
    }
    if (isExternal(href)) return { target: { kind: 'url', url: href }, isLoose: false };
    const address = parseHref(href);
    const anchor = cleanAnchor(address?.anchor);
    if (address === undefined || address.path === '')
      return anchor === undefined ? undefined : { target: { ...source, anchor }, isLoose: false };

    const known = entry && { entry };
    const wanted = wantedName(dir, href);
    if (entry && isPresent(tree, entry))
      return { target: targetAt(entry, anchor), ...known, wanted, isLoose: false };
    const found = resolveIn(mapping, dir, href);
    const there = found && entryOf(found);
    const target: LinkTarget = there
      ? targetAt(there, anchor)
      : entry
        ? targetAt(entry, anchor)
        : { kind: 'missing', path: canonicalPath(dir, href, address.path) };
    return { target, ...known, wanted, isLoose: true };
  };
}

/** Files and reusable contents are linked as a whole. */
const targetAt = (entry: Entry, anchor: string | undefined): LinkTarget =>
  entry.kind === 'page' && anchor !== undefined ? { ...entry, anchor } : entry;

/** One spelling for the hrefs of one missing entry. An href that leads out of the folder stays as it is. */
function canonicalPath(dir: string, href: string, path: string): string {
  const joined = joinPath(dir, decode(path));
  if (joined === undefined) return href;
  const isFolder = path.endsWith('/') && joined !== '';
  return `${path.startsWith('/') ? '/' : ''}${encodePath(joined)}${isFolder ? '/' : ''}`;
}
