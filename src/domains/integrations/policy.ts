import { resource, type Authorised } from '../access/index.ts';

export const SCOPES = [
  'space:content:read',
  'space:content:write',
  'space:metadata:read',
  'space:metadata:write',
  'space:views:read',
  'space:git:sync',
  'page:feedback:read',
  'site:metadata:read',
  'site:views:read',
  'site:script:inject',
  'site:script:cookies',
  'site:visitor:auth',
  'site:adaptive:read',
  'site:adaptive:write',
  'openapi:read',
  'openapi:write',
  'conversations:ingest',
] as const;
export type IntegrationScope = (typeof SCOPES)[number];

/** A part of a configuration, as `schema.ts` checks it. */
export type Property =
  | { readonly type: 'string'; readonly default?: string; readonly enum?: readonly string[] }
  | { readonly type: 'number'; readonly default?: number }
  | { readonly type: 'boolean'; readonly default?: boolean }
  | { readonly type: 'button' };

/** A component is rendered by the script. */
export type Configuration =
  | { readonly componentId: string }
  | { readonly properties: Readonly<Record<string, Property>>; readonly required?: readonly string[] };

export interface Configurations {
  readonly account?: Configuration;
  readonly space?: Configuration;
  readonly site?: Configuration;
}

export interface IntegrationRow extends Authorised {
  readonly integration_id: string;
  readonly integration_name: string;
  readonly owner_id: string;
  readonly version: number;
  readonly title: string;
  readonly description: string;
  readonly summary: string | null;
  readonly visibility: 'public' | 'private' | 'unlisted';
  readonly target: 'all' | 'site' | 'space' | 'organization';
  readonly scopes: readonly IntegrationScope[];
  readonly categories: readonly string[];
  readonly blocks: readonly { readonly id: string; readonly title: string }[];
  readonly block_hosts: readonly string[];
  readonly content_sources: readonly unknown[];
  readonly external_links: readonly { readonly url: string; readonly label: string }[];
  readonly configurations: Configurations;
  readonly content_security_policy: unknown;
  readonly icon_id: string | null;
  readonly preview_ids: readonly string[];
  /** Whether the caller is an admin of an organization that it may be installed on. */
  readonly may_install: boolean;
  readonly created_at: Date;
}

/** The columns of an integration `n` that answers show. Neither its script nor its secrets. */
const COLUMNS = `
  n.id as integration_id, n.name as integration_name, n.organization_id as owner_id, n.version, n.title, n.description,
  n.summary, n.visibility, n.target, n.scopes, n.categories, n.blocks, n.block_hosts, n.content_sources, n.external_links,
  n.configurations, n.content_security_policy, n.created_at,
  (select i.id from integration_images i where i.integration_id = n.id and i.kind = 'icon') as icon_id,
  array(select i.id from integration_images i where i.integration_id = n.id and i.kind = 'preview' order by i.position)
    as preview_ids`;

/**
 * Everyone finds public and unlisted ones by their name; private ones, members of their organization who are not guests, and of
 * those where they were installed before they became private.
 */
export const integrations = resource<IntegrationRow>()({
  name: 'Integration',
  key: 'integration_name',
  // As ids are, but longer, and with dots.
  alias: 'integration_name',
  rows: `
    select ${COLUMNS}, mine.role, exists (
      select from members m where m.user_id = caller.id and not m.disabled and m.role = 'admin'
        and (n.visibility <> 'private' or m.organization_id = n.organization_id)) as may_install
    from integrations n
    left join members mine on mine.organization_id = n.organization_id and mine.user_id = caller.id and not mine.disabled
    where (n.visibility <> 'private' or mine.role is not null or exists (
      select from integration_installations i join members m on m.organization_id = i.organization_id
      where i.integration_id = n.id and m.user_id = caller.id and not m.disabled and m.role is not null))`,
  match: 'n.name = any(:ids)',
  needs: { view: 'guest', admin: 'admin', install: (row) => row.may_install },
});

export interface PublisherRow extends Authorised {
  readonly organization_id: string;
}

/** Organizations, by id or subdomain. */
export const publishers = resource<PublisherRow>()({
  name: 'Organization',
  key: 'organization_id',
  alias: 'hostname',
  rows: `
    select o.id as organization_id, o.hostname, mine.role
    from members mine join organizations o on o.id = mine.organization_id
    where mine.user_id = caller.id and not mine.disabled`,
  match: '(o.id = any(:ids) or o.hostname = any(array(select lower(id) from unnest(:ids::text[]) id)))',
  needs: { view: 'guest', publish: 'admin' },
});
