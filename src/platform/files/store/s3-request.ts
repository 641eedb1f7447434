import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { AwsV4Signer } from 'aws4fetch';
import { type Dispatcher, request } from 'undici';
import { FilesError } from './files-error.ts';
import type { S3Target } from './s3-target.ts';

const EMPTY_HASH = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
/** All requests are idempotent. With the pauses some three seconds: enough for a restarting server. */
const ATTEMPTS = 5;
const FIRST_PAUSE_MS = 100;

export interface S3Request {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'DELETE';
  /** The key in the bucket; without it, the bucket itself. */
  readonly key?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Created for each attempt. */
  readonly body?: {
    readonly hash: string;
    readonly size: number;
    readonly open: () => Readable | Uint8Array;
  };
  /** Expected statuses; any other is an error. */
  readonly expects: readonly number[];
}

export type S3Answer = Dispatcher.ResponseData;

/**
 * Signs and sends a request and reads the response. The server verifies the hash of the content. Retried if the server
 * fails, is busy, or disconnects, also during the response.
 */
export async function sendS3<T>(
  target: S3Target,
  dispatcher: Dispatcher,
  wanted: S3Request,
  read: (answer: S3Answer) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      const answer = await sendOnce(target, dispatcher, wanted);
      if (!wanted.expects.includes(answer.statusCode)) throw await explain(target, answer);
      return await read(answer);
    } catch (error) {
      const failure = error instanceof FilesError ? error : unreachable(target, error);
      if (failure.reason !== 'unavailable' || attempt === ATTEMPTS) throw failure;
    }
    await delay(FIRST_PAUSE_MS * 2 ** (attempt - 1) * (1 + Math.random()));
  }
}

async function sendOnce(target: S3Target, dispatcher: Dispatcher, wanted: S3Request): Promise<S3Answer> {
  const url = new URL(wanted.key ?? '', target.url);
  // Most servers accept the bucket only without a trailing slash.
  if (wanted.key === undefined) url.pathname = url.pathname.replace(/(.)\/$/, '$1');
  url.search = new URLSearchParams(wanted.query).toString();
  const { body } = wanted;
  const signed = await new AwsV4Signer({
    method: wanted.method,
    url: url.href,
    service: 's3',
    region: target.region,
    ...target.credentials,
    headers: { ...wanted.headers, 'x-amz-content-sha256': body?.hash ?? EMPTY_HASH },
  }).sign();
  return request(signed.url, {
    dispatcher,
    method: wanted.method,
    headers: {
      ...Object.fromEntries(signed.headers.entries()),
      ...(body ? { 'content-length': String(body.size) } : {}),
    },
    body: body?.open() ?? null,
  });
}

function unreachable({ bucket, url }: S3Target, error: unknown): FilesError {
  const { message, code } = error as NodeJS.ErrnoException;
  // A host with two addresses that both refuse fails with a code and no message.
  return new FilesError(
    'unavailable',
    `The bucket ${bucket} at ${url.origin} cannot be reached: ${message || code}. Check endpoint and region in OCTAVO_FILES.`,
    error,
  );
}

async function explain(target: S3Target, answer: S3Answer): Promise<FilesError> {
  const text = (await answer.body.text().catch(() => '')).slice(0, 10_000);
  const code = /<Code>([\w.]{1,64})<\/Code>/.exec(text)?.[1] ?? '';
  const isOurs = answer.statusCode < 500 && answer.statusCode !== 429;
  return new FilesError(
    isOurs ? 'misconfigured' : 'unavailable',
    `The bucket ${target.bucket} returned ${answer.statusCode} ${code}`.trim() +
      (isOurs ? '. Check bucket, region and credentials in OCTAVO_FILES.' : '. Try again later.'),
  );
}
