import { badRequest } from '../../platform/api/errors.ts';

/** Names that readers take for a part of the service, or that mail and certificates use: no organization gets them. */
const RESERVED = new Set(
  `
  about abuse account accounts admin administrator api app apps assets auth autoconfig autodiscover
  billing blog cdn cname contact dashboard dev dns download email files ftp git help home hostmaster id
  imap info internal localhost login logout mail mailer mcp media metrics mta-sts noc oauth octavo
  password payment payments pop pop3 postmaster preview private proxy register root secure security
  server service session shop sign-in sign-up signin signup smtp sso staging static status store support
  system test user users verify webmail webmaster wpad www
`
    .trim()
    .split(/\s+/),
);

/** The encoded form of a name with other letters, which may look like a reserved one. */
const ENCODED = /^..--/;

export const isReservedHostname = (hostname: string): boolean =>
  RESERVED.has(hostname) || ENCODED.test(hostname);

export function requireFreeHostname(hostname: string | undefined): void {
  if (hostname === undefined || !isReservedHostname(hostname)) return;
  const rule = 'a name that is not reserved';
  throw badRequest(`The hostname "${hostname}" (body.hostname) is reserved. Choose another one.`, [
    { path: 'body.hostname', rule },
  ]);
}
