import type { Context } from '../../platform/api/context.ts';
import { badRequest, conflict } from '../../platform/api/errors.ts';
import type { HostnameStatus } from './schema.ts';
import { activate, lockActive, setStatus } from './store.ts';
import { verificationOf } from './verification.ts';

/** The TXT records of a hostname, or the error of the name servers. */
export type Records = { readonly values: readonly string[] } | { readonly failure: string };

export async function readRecords(
  { outbound, keys }: Pick<Context, 'outbound' | 'keys'>,
  hostname: string,
): Promise<Records> {
  try {
    return { values: await outbound.resolveTxt(verificationOf(keys, hostname, '').name) };
  } catch (error) {
    return { failure: (error as NodeJS.ErrnoException).code ?? (error as Error).message };
  }
}

interface Requested {
  readonly id: string;
  readonly siteId: string;
  readonly hostname: string;
}

/**
 * Activates a hostname if its TXT record proves it. Another site keeps it while its own record is there too, or while
 * the operator says so. Records that are missing take nothing away: name servers may fail for a moment.
 */
export async function proveHostname(
  { db, keys }: Pick<Context, 'db' | 'keys'>,
  requested: Requested,
  records: Records,
): Promise<boolean> {
  const { id, siteId, hostname } = requested;
  const values = 'values' in records ? records.values : [];
  const active = await lockActive(db, siteId, hostname);
  if (active?.id === id) return true;
  if (!values.includes(verificationOf(keys, hostname, siteId).value)) {
    const status: HostnameStatus = values.length === 0 ? 'dns_no_cname' : 'dns_wrong_cname';
    await setStatus(db, id, status);
    return false;
  }
  const isKept =
    active?.proven_by === 'operator' ||
    (active && values.includes(verificationOf(keys, hostname, active.site_id).value));
  if (isKept)
    throw conflict(
      `${hostname} is in use by another site. Remove the TXT record of that site, or delete the hostname there.`,
    );
  await activate(db, requested, 'dns');
  return true;
}

/** 400 that says which record is missing. */
export function notProven(
  { keys }: Pick<Context, 'keys'>,
  { hostname, siteId }: Requested,
  records: Records,
): Error {
  const { name, value } = verificationOf(keys, hostname, siteId);
  if ('failure' in records)
    return badRequest(
      `The name servers of ${hostname} could not be asked (${records.failure}). Nothing was changed. Try again later.`,
    );
  return badRequest(
    `${name} has no TXT record with the value ${value}. Create it at your DNS provider, and try again when it is published.`,
  );
}

/** 400 for names that belong to the service. */
export function requireForeignHost({ addresses }: Pick<Context, 'addresses'>, hostname: string): void {
  const own = new URL(addresses.of('/')).hostname;
  if (hostname === own || hostname.endsWith(`.${own}`))
    throw badRequest(`${hostname} belongs to the service itself. Use a hostname of your own.`, [
      { path: 'path.hostname', rule: `not ${own} or a name below it` },
    ]);
}
