import { misconfigured } from './files-error.ts';

export interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

export interface S3Target {
  readonly bucket: string;
  /** The base URL of the bucket's keys, with a trailing slash. */
  readonly url: URL;
  /** Prefix of every key: empty, or with a trailing slash. */
  readonly prefix: string;
  readonly region: string;
  readonly credentials: S3Credentials;
}

const PARAMETERS: ReadonlySet<string> = new Set(['endpoint', 'region', 'style']);

/** `s3://[key:secret@]bucket[/prefix]?endpoint=https://…&region=…&style=path|virtual` */
export function parseS3Target(text: string, given?: S3Credentials): S3Target {
  if (!URL.canParse(text)) throw unreadable();
  const url = new URL(text);
  for (const name of url.searchParams.keys()) {
    if (!PARAMETERS.has(name)) throw misconfigured(`"${name}" is not one of ${[...PARAMETERS].join(', ')}`);
  }
  const region = url.searchParams.get('region') ?? 'us-east-1';
  const endpoint = endpointOf(url.searchParams, region);
  const bucket = url.hostname;
  if (!/^[a-z0-9][a-z0-9._-]{1,61}[a-z0-9]$/.test(bucket))
    throw misconfigured(
      's3:// needs the name of a bucket: 3 to 63 lower-case letters, digits, dots, dashes or underscores',
    );
  const prefix = url.pathname.replaceAll(/^\/+|(?<!\/)\/+$/g, '');
  // Characters that all implementations sign in the same way.
  if (!/^[\w./-]*$/.test(prefix)) {
    throw misconfigured('the prefix may contain only letters, digits, dots, dashes, underscores and slashes');
  }
  return {
    bucket,
    url: bucketUrl(bucket, endpoint, url.searchParams),
    prefix: prefix === '' ? '' : `${prefix}/`,
    region,
    credentials: credentialsOf(url) ?? given ?? missingCredentials(),
  };
}

function endpointOf(parameters: URLSearchParams, region: string): string {
  const endpoint = parameters.get('endpoint') ?? `https://s3.${region}.amazonaws.com`;
  if (!/^https?:\/\//.test(endpoint) || !URL.canParse(endpoint)) {
    throw misconfigured(`endpoint must be a URL that begins with https:// or http://, not "${endpoint}"`);
  }
  return endpoint;
}

function bucketUrl(bucket: string, endpoint: string, parameters: URLSearchParams): URL {
  // Amazon requires the bucket in the host name; self-hosted servers seldom have a host name per bucket.
  const isVirtual = !parameters.has('endpoint') && !bucket.includes('.');
  const style = parameters.get('style') ?? (isVirtual ? 'virtual' : 'path');
  if (style !== 'virtual' && style !== 'path') throw misconfigured('style must be path or virtual');
  const url = new URL(endpoint.endsWith('/') ? endpoint : `${endpoint}/`);
  if (style === 'virtual') url.hostname = `${bucket}.${url.hostname}`;
  else url.pathname += `${bucket}/`;
  return url;
}

function credentialsOf({ username, password }: URL): S3Credentials | undefined {
  if (!username || !password) return undefined;
  try {
    return { accessKeyId: decodeURIComponent(username), secretAccessKey: decodeURIComponent(password) };
  } catch {
    throw unreadable();
  }
}

const unreadable = () => misconfigured('the s3:// URL is invalid; percent-encode the secret');

function missingCredentials(): never {
  throw misconfigured('s3:// needs credentials: s3://key:secret@bucket');
}
