import Type from 'typebox';
import type { Context } from '../../platform/api/context.ts';
import { on, operation, signedIn } from '../../platform/api/operation.ts';
import { idOf } from '../../platform/api/resource.ts';
import { sites } from '../sites/index.ts';
import { customHostnames, subdomains, type CustomHostnameRow } from './policy.ts';
import { notProven, proveHostname, readRecords, requireForeignHost } from './prove-hostname.ts';
import { scheduleChecks } from './check-store.ts';
import * as schema from './schema.ts';
import * as store from './store.ts';
import { verificationOf } from './verification.ts';

const HostnamePath = Type.Object({ hostname: idOf(customHostnames, 'view') });
const mayOnHostname = on(customHostnames);

const presentHostname = (row: CustomHostnameRow, { addresses, keys }: Context) => ({
  object: 'custom-hostname' as const,
  hostname: row.hostname,
  target: { type: 'site' as const, site: row.site_id },
  isActive: row.proven_by !== null,
  status: row.status as schema.HostnameStatus,
  verification: verificationOf(keys, row.hostname, row.site_id),
  urls: { location: addresses.of(`/v1/custom-hostnames/${row.hostname}`) },
});

export const putCustomHostname = operation({
  method: 'PUT',
  path: '/v1/custom-hostnames/{hostname}',
  summary: 'Request a custom hostname for a site',
  description:
    'The site is served at the hostname once the TXT record in `verification` exists, which is checked for 30 days. A site ' +
    'has one hostname: a new one replaces the other when it is proven.',
  scope: 'site:write',
  params: Type.Object({ hostname: schema.Hostname }),
  body: schema.NewCustomHostname,
  status: 200,
  response: schema.CustomHostname,
  access: signedIn,
  prepare: ({ ctx, params }) => readRecords(ctx, params.hostname.toLowerCase()),
  handle: async ({ ctx, params, body, refs, prepared }) => {
    const hostname = params.hostname.toLowerCase();
    requireForeignHost(ctx, hostname);
    const siteId = refs.of(sites, body.target.site).site_id;
    const id = await store.insertHostname(ctx.db, siteId, hostname);
    const isActive = await proveHostname(ctx, { id, siteId, hostname }, prepared ?? { values: [] });
    if (!isActive) await scheduleChecks(ctx.db, id);
    return presentHostname(await store.getHostname(ctx.db, ctx.caller.id, id), ctx);
  },
});

export const getCustomHostname = operation({
  method: 'GET',
  path: '/v1/custom-hostnames/{hostname}',
  summary: 'Get a custom hostname',
  scope: 'site:read',
  params: HostnamePath,
  status: 200,
  response: schema.CustomHostname,
  access: mayOnHostname('view'),
  version: (hostname) => hostname.version,
  handle: async ({ ctx, target }) => presentHostname(target, ctx),
});

export const dnsRevalidateCustomHostname = operation({
  method: 'PATCH',
  path: '/v1/custom-hostnames/{hostname}',
  summary: 'Request a DNS check of a custom hostname',
  description: 'Returns 400 if the record does not prove the hostname, 409 while another site has it.',
  scope: 'site:write',
  params: HostnamePath,
  status: 204,
  access: mayOnHostname('admin'),
  version: (hostname) => hostname.version,
  prepare: ({ ctx, target }) => readRecords(ctx, target.hostname),
  handle: async ({ ctx, target, prepared }) => {
    const requested = {
      id: target.custom_hostname_id,
      siteId: target.site_id,
      hostname: target.hostname,
    };
    const records = prepared ?? { values: [] };
    if (!(await proveHostname(ctx, requested, records))) throw notProven(ctx, requested, records);
  },
});

export const removeCustomHostname = operation({
  method: 'DELETE',
  path: '/v1/custom-hostnames/{hostname}',
  summary: 'Delete a custom hostname',
  description: 'The site is no longer served at it.',
  scope: 'site:write',
  params: HostnamePath,
  status: 205,
  access: mayOnHostname('admin'),
  version: (hostname) => hostname.version,
  handle: async ({ ctx, target }) => {
    await store.deleteHostname(ctx.db, target.custom_hostname_id);
  },
});

export const getSubdomain = operation({
  method: 'GET',
  path: '/v1/subdomains/{subdomain}',
  summary: 'Get the organization of a subdomain',
  description: 'A subdomain is the hostname of an organization.',
  scope: 'organization:read',
  params: Type.Object({ subdomain: idOf(subdomains, 'view') }),
  status: 200,
  response: schema.Subdomain,
  access: on(subdomains)('view'),
  version: (subdomain) => subdomain.version,
  handle: async ({ target }) => ({
    object: 'subdomain' as const,
    subdomain: target.subdomain,
    target: { type: 'organization' as const, organization: target.organization_id },
    isActive: target.is_active,
  }),
});
