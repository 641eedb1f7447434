import type { ContentRecord, ContentRef, LinkPage, LinkTable, Tree } from '../tree/index.ts';
import { isExternal } from './address.ts';
import { entryOf, targetOfRef, type Entry } from './link-target.ts';
import { resolveHref } from './resolve-href.ts';
import { linkResolver, type ResolvedHref } from './resolve-link.ts';

/** `dependsOn`: the content of the target is part of the source, as with an include. */
export type Relation = 'reference' | 'dependsOn';

/** The hrefs of a body: all of them, and those whose target becomes part of the page. */
export interface BodyHrefs {
  readonly hrefs: readonly string[];
  readonly dependencies: readonly string[];
}

export interface OutgoingLink extends ResolvedHref {
  readonly relation: Relation;
  /** Order in the source. Below zero: not of the body (cover, target of a link page, source of a computed page). */
  readonly ordinal: number;
  /** As written, in a body. */
  readonly href?: string;
}

/** Longer hrefs are no addresses, and what exceeds the number is not tracked. */
export const MAX_HREF = 2000;
export const MAX_HREFS = 5000;

/** Every link of a page or reusable content. */
export function outgoingLinks(
  tree: Tree,
  record: ContentRecord,
  table: LinkTable,
  { hrefs, dependencies }: BodyHrefs,
): OutgoingLink[] {
  const links: OutgoingLink[] = [];
  const source: Entry = { kind: record.kind === 'reusable-content' ? record.kind : 'page', id: record.id };
  const refs = refsOf(record);
  for (const [index, { ref, relation }] of refs.entries()) {
    const target = targetOfRef(ref, source);
    const entry = entryOf(ref);
    const ordinal = index - refs.length;
    if (target) links.push({ target, relation, ordinal, isLoose: false, ...(entry && { entry }) });
  }
  const resolve = linkResolver(tree, record.id);
  const path = record.kind === 'page' && record.type === 'link' ? pathOfTarget(record.target) : undefined;
  const resolvedPath = path === undefined || !isTracked(path) ? undefined : resolve(path);
  if (resolvedPath) links.push({ ...resolvedPath, relation: 'reference', ordinal: -1, href: path });
  const dependsOn = new Set(dependencies);
  for (const [ordinal, href] of hrefs.filter(isTracked).slice(0, MAX_HREFS).entries()) {
    const ref = Object.hasOwn(table, href) ? table[href] : undefined;
    const resolved = resolve(href, ref && entryOf(ref));
    const relation = dependsOn.has(href) ? 'dependsOn' : 'reference';
    if (resolved) links.push({ ...resolved, relation, ordinal, href });
  }
  return links;
}

const isTracked = (href: string): boolean => href.length <= MAX_HREF;

interface RecordRef {
  readonly ref: ContentRef;
  readonly relation: Relation;
}

/** The references of a record besides those of its body. */
function refsOf(record: ContentRecord): RecordRef[] {
  if (record.kind !== 'page') return [];
  switch (record.type) {
    case 'document':
      return [record.cover?.ref, record.cover?.refDark].flatMap((ref) =>
        ref === undefined ? [] : [{ ref, relation: 'reference' as const }],
      );
    case 'link':
      return pathOfTarget(record.target) !== undefined ? [] : [{ ref: record.target, relation: 'reference' }];
    case 'computed':
      return Object.values(record.computed.dependencies ?? {}).flatMap((dependency) =>
        isDependency(dependency) ? [{ ref: dependency.ref, relation: 'dependsOn' as const }] : [],
      );
    case 'group':
      return [];
  }
}

const isDependency = (value: unknown): value is { readonly ref: ContentRef } =>
  typeof value === 'object' &&
  value !== null &&
  'ref' in value &&
  typeof value.ref === 'object' &&
  value.ref !== null &&
  'kind' in value.ref;

/** The target of a link page as a path of the folder, which need not lead to an entry. The page itself has no headings. */
const pathOfTarget = (target: ContentRef): string | undefined =>
  target.kind === 'url' && !isExternal(target.url) && !target.url.startsWith('#') ? target.url : undefined;

/** The target of a link page. A path of the folder may have come to lead to an entry since it was imported. */
export function targetOfLinkPage(tree: Tree, { id, target }: LinkPage): ContentRef {
  const path = pathOfTarget(target);
  return path === undefined ? target : (resolveHref(tree, id, path) ?? target);
}
