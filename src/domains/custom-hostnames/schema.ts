import Type, { type Static } from 'typebox';
import { idOf } from '../../platform/api/resource.ts';
import { named, Uri } from '../../platform/api/schema.ts';
import { sites } from '../sites/index.ts';

const LABEL = '[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?';

export const Hostname = Type.String({
  maxLength: 253,
  pattern: `^(${LABEL}\\.)+[A-Za-z]([A-Za-z0-9-]{0,61}[A-Za-z0-9])$`,
  description: 'Host name, such as docs.example.com; of international names, the ASCII form (xn--…)',
  examples: ['docs.sample.example'],
});

const Status = Type.Enum(['live', 'dns_no_cname', 'dns_wrong_cname'], {
  description: '`live`, or the result of the last check: no TXT record, or none with the expected value',
});
export type HostnameStatus = Static<typeof Status>;

const pointer = { type: Type.Literal('site') };

export const CustomHostname = named('CustomHostname', {
  object: Type.Literal('custom-hostname'),
  hostname: Type.String(),
  target: Type.Object({ ...pointer, site: Type.String() }),
  isActive: Type.Boolean({ description: 'Whether the site is served at this hostname' }),
  status: Status,
  verification: Type.Object(
    { type: Type.Literal('TXT'), name: Type.String(), value: Type.String() },
    { description: 'The DNS record that proves the hostname' },
  ),
  urls: Type.Object({ location: Uri }),
});

export const NewCustomHostname = Type.Object({
  target: Type.Object({ ...pointer, site: idOf(sites, 'admin') }),
});

export const Subdomain = named('Subdomain', {
  object: Type.Literal('subdomain'),
  subdomain: Type.String(),
  target: Type.Object({ type: Type.Literal('organization'), organization: Type.String() }),
  isActive: Type.Boolean({ description: 'Whether the default site of the organization is published' }),
});
