import { createReadStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Agent } from 'undici';
import { type Files, isHash, keyOf, type ListedFile, RENEW_AFTER_MS, type StoredFile } from './files.ts';
import { explainDiskError } from './files-error.ts';
import { type S3Answer, type S3Request, sendS3 } from './s3-request.ts';
import type { S3Target } from './s3-target.ts';
import { measure, stage } from './stage.ts';

/**
 * Files in a bucket. The operator configures it, so it may have a private address: the rules of `outbound/` do not apply.
 */
export async function openBucket(target: S3Target): Promise<Files> {
  const agent = new Agent();
  const send: Send = (wanted, read) => sendS3(target, agent, wanted, read);
  const pathOf = (hash: string) => target.prefix + keyOf(hash);
  // The hash is part of the request, so a stream is staged before it is sent.
  const staging = await mkdtemp(path.join(tmpdir(), 'octavo-files-'));

  async function find(hash: string): Promise<ListedFile | undefined> {
    const answer = await send({ method: 'HEAD', key: pathOf(hash), expects: [200, 404] }, dumped);
    if (answer.statusCode === 404) return undefined;
    const { 'content-length': size, 'last-modified': storedAt } = answer.headers;
    return { hash, size: Number(size), storedAt: new Date(String(storedAt)) };
  }

  async function keep(
    { hash, size }: StoredFile,
    open: NonNullable<S3Request['body']>['open'],
  ): Promise<void> {
    const found = await find(hash);
    if (found?.size === size && Date.now() - found.storedAt.getTime() < RENEW_AFTER_MS) return;
    await send({ method: 'PUT', key: pathOf(hash), body: { hash, size, open }, expects: [200] }, dumped);
  }

  const files: Files = {
    requireSpace: () => Promise.resolve(),

    async put(content, { maxBytes }) {
      if (content instanceof Uint8Array) {
        const known = measure(content, maxBytes);
        await keep(known, () => content);
        return known;
      }
      const staged = await stage(staging, content, maxBytes).catch((error: unknown) => {
        throw explainDiskError(error, staging);
      });
      try {
        await keep(staged, () => createReadStream(staged.path));
      } finally {
        await rm(staged.path, { force: true });
      }
      return { hash: staged.hash, size: staged.size };
    },

    async open(hash, range) {
      if (!isHash(hash)) return undefined;
      const headers: Record<string, string> = range ? { range: `bytes=${range.start}-${range.end}` } : {};
      const wanted = { method: 'GET', key: pathOf(hash), headers, expects: [200, 206, 404] } as const;
      return send(wanted, async (answer) => {
        if (answer.statusCode !== 404) return { stream: answer.body, size: wholeSize(answer) };
        await answer.body.dump();
        return undefined;
      });
    },

    has: async (hash) => isHash(hash) && (await find(hash)) !== undefined,

    async remove(hash, { storedBefore } = {}) {
      if (!isHash(hash)) return true;
      const found = storedBefore && (await find(hash));
      if (found && found.storedAt >= storedBefore) return false;
      await send({ method: 'DELETE', key: pathOf(hash), expects: [200, 204, 404] }, dumped);
      return true;
    },

    list: () => listKeys(send, target.prefix),

    async close() {
      await agent.destroy();
      await rm(staging, { recursive: true, force: true });
    },
  };
  try {
    await listPage(send, target.prefix, { 'max-keys': '1' });
  } catch (error) {
    await files.close();
    throw error;
  }
  return files;
}

function wholeSize({ statusCode, headers }: S3Answer): number {
  const whole =
    statusCode === 206 ? String(headers['content-range']).split('/')[1] : headers['content-length'];
  return Number(whole);
}

type Send = <T>(wanted: S3Request, read: (answer: S3Answer) => Promise<T>) => Promise<T>;

/** Discards the body of a response whose headers suffice. */
async function dumped(answer: S3Answer): Promise<S3Answer> {
  await answer.body.dump();
  return answer;
}

async function* listKeys(send: Send, prefix: string): AsyncGenerator<ListedFile> {
  let after: Readonly<Record<string, string>> | undefined = {};
  while (after) {
    const page: string = await listPage(send, prefix, after);
    for (const [, entry = ''] of page.matchAll(/<Contents>(.*?)<\/Contents>/gs)) {
      const hash = /\/([0-9a-f]{64})$/.exec(`/${textOf(entry, 'Key')}`)?.[1];
      const [size, storedAt] = [Number(textOf(entry, 'Size')), new Date(textOf(entry, 'LastModified'))];
      if (hash) yield { hash, size, storedAt };
    }
    const token: string = textOf(page, 'NextContinuationToken');
    after = token === '' ? undefined : { 'continuation-token': token };
  }
}

async function listPage(send: Send, prefix: string, more: Readonly<Record<string, string>>): Promise<string> {
  const query = { 'list-type': '2', prefix, ...more };
  return send({ method: 'GET', query, expects: [200] }, ({ body }) => body.text());
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function textOf(xml: string, element: string): string {
  const text = xml.split(`<${element}>`, 2)[1]?.split(`</${element}>`, 1)[0] ?? '';
  return text.replaceAll(/&(\w+);/g, (whole, name: string) => ENTITIES[name] ?? whole);
}
