import { hash } from 'node:crypto';
import type { BodyHrefs, LinkTarget, OutgoingLink, Relation } from '../../content-engine/links/index.ts';
import type { LinkRow, TargetColumns } from './schema.ts';

export function rowOf(sourceId: string, link: OutgoingLink): LinkRow {
  const { target, relation, ordinal, href, entry, wanted, isLoose } = link;
  return {
    source_id: sourceId,
    ordinal,
    ...targetColumns(target, relation),
    href: href === undefined || target.kind === 'url' ? null : storable(href),
    entry_kind: entry?.kind ?? null,
    entry_id: entry === undefined ? null : storable(entry.id),
    // Others are not found by a name, and would not be updated when it changes.
    wanted: isLoose && wanted !== undefined ? storable(wanted) : null,
    loose: isLoose,
  };
}

function targetColumns(target: LinkTarget, relation: Relation): TargetColumns {
  const columns = {
    relation,
    kind: target.kind,
    target_space_id: null as string | null,
    target_id: null as string | null,
    anchor: null as string | null,
    url: null as string | null,
  };
  switch (target.kind) {
    case 'url':
      columns.url = storable(target.url);
      break;
    case 'missing':
      columns.url = storable(target.path);
      break;
    case 'space':
      columns.target_space_id = target.id;
      break;
    case 'user':
    case 'collection':
    case 'openapi':
      columns.target_id = storable(target.id);
      break;
    default:
      columns.target_space_id = target.space ?? null;
      columns.target_id = target.id;
      columns.anchor = target.anchor === undefined ? null : storable(target.anchor);
  }
  const { kind, target_space_id: space, target_id: id, anchor, url } = columns;
  return { key: keyOf([relation, kind, space, id, anchor, url]), ...columns };
}

/** A UUID: PostgreSQL and JavaScript compare its text in the same order. */
const keyOf = (parts: readonly (string | null)[]): string =>
  hash('sha256', JSON.stringify(parts), 'hex')
    .slice(0, 32)
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');

/** PostgreSQL stores no NUL, and UTF-8 has no lone surrogates. */
export const storable = (text: string): string => text.toWellFormed().replaceAll('\0', '\ufffd');

const MAX_ADDRESS = 500;

/** Origin and path of a URL with http or https, as URLs are compared. Null: it cannot be checked or be one of ours. */
export function addressOf(url: string | null): string | null {
  if (url === null || !URL.canParse(url, 'https://-')) return null;
  const { protocol, origin, pathname } = new URL(url, 'https://-');
  return protocol === 'http:' || protocol === 'https:' ? (origin + pathname).slice(0, MAX_ADDRESS) : null;
}

/** The hrefs of a body, from the rows of its source: no parse. */
export function bodyHrefsOf(rows: readonly LinkRow[]): BodyHrefs {
  const ofBody = rows.filter(({ ordinal }) => ordinal >= 0).toSorted((a, b) => a.ordinal - b.ordinal);
  const hrefOf = ({ href, url }: LinkRow): string => href ?? url ?? '';
  return {
    hrefs: ofBody.map(hrefOf),
    dependencies: ofBody.filter(({ relation }) => relation === 'dependsOn').map(hrefOf),
  };
}

/** Whether the space decides about the target, so that its row says whether it is broken. */
export const isInside = ({ kind, target_space_id: space }: TargetColumns): boolean =>
  space === null && ['page', 'file', 'reusable-content', 'url', 'missing'].includes(kind);
