import { isDatabaseAway, isTlsFailure } from './connection.ts';

/** Rejected credentials, no such database, no privileges. */
const REFUSED = /^(28|3D000|42501)/;

/** What the operator can do about a database that cannot be used; undefined if that is not the reason of the error. */
export function explainRefusal(databaseUrl: string, error: unknown): string | undefined {
  const { code = '', message } = error as NodeJS.ErrnoException;
  if (!isDatabaseAway(error) && !REFUSED.test(code)) return undefined;
  const { host, pathname } = new URL(databaseUrl);
  // If both addresses of a host refuse the connection, the error has a code and no message.
  const reason = (message || code).replace(/\.$/, '');
  return `Cannot use the database ${host}${pathname}: ${reason}. ${adviceFor(error, reason)}`;
}

function adviceFor(error: unknown, reason: string): string {
  if (/does not support SSL/.test(reason))
    return 'Enable TLS on that server, or remove sslmode from DATABASE_URL.';
  if (/no encryption|SSL off/.test(reason)) return 'Add sslmode=verify-full to DATABASE_URL.';
  if (isTlsFailure(error))
    return 'Name the certificate of its authority in DATABASE_URL with sslrootcert=FILE; sslmode=no-verify accepts any certificate.';
  return 'Start it, or correct DATABASE_URL.';
}
