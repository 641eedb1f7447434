import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { deflateSync } from 'node:zlib';

/** A server of `git fetch` (protocol 2) that sends any bytes as a pack, and objects that git would never write. */

const packet = (data: Buffer | string): Buffer => {
  const bytes = Buffer.from(data as string);
  return Buffer.concat([Buffer.from((bytes.length + 4).toString(16).padStart(4, '0')), bytes]);
};
const FLUSH = Buffer.from('0000');
const DELIMITER = Buffer.from('0001');

export interface FakeBranch {
  readonly oid: string;
  readonly pack: Buffer;
  /** What the remote says on the way. */
  readonly messages?: readonly string[];
  /** Instead of the list of branches. */
  readonly refs?: readonly string[];
}

/** For `intercept` of a remote. */
export function uploadPack(
  branch: FakeBranch,
): (request: IncomingMessage, response: ServerResponse) => boolean {
  return (request, response) => {
    if (request.method === 'GET') {
      response.writeHead(200, { 'content-type': 'application/x-git-upload-pack-advertisement' });
      const lines = ['version 2\n', 'ls-refs\n', 'fetch=shallow\n', 'object-format=sha1\n'].map(packet);
      response.end(Buffer.concat([packet('# service=git-upload-pack\n'), FLUSH, ...lines, FLUSH]));
      return true;
    }
    void readBody(request).then((body) => {
      response.writeHead(200, { 'content-type': 'application/x-git-upload-pack-result' });
      return response.end(body.includes('command=ls-refs') ? listRefs(branch) : sendPack(branch));
    });
    return true;
  };
}

function listRefs({ oid, refs = [`${oid} refs/heads/main\n`] }: FakeBranch): Buffer {
  return Buffer.concat([...refs.map(packet), FLUSH]);
}

function sendPack({ oid, pack, messages = [] }: FakeBranch): Buffer {
  const band = (number: number, data: Buffer) => packet(Buffer.concat([Buffer.from([number]), data]));
  const parts: Buffer[] = [];
  for (let at = 0; at < pack.length; at += 60_000) parts.push(band(1, pack.subarray(at, at + 60_000)));
  return Buffer.concat([
    packet('shallow-info\n'),
    packet(`shallow ${oid}\n`),
    DELIMITER,
    packet('packfile\n'),
    ...messages.map((message) => band(2, Buffer.from(message))),
    ...parts,
    FLUSH,
  ]);
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('latin1');
}

const TYPES = { commit: 1, tree: 2, blob: 3, tag: 4, delta: 7 } as const;

export interface FakeObject {
  readonly type: keyof typeof TYPES;
  readonly data: Buffer;
  /** Of a delta: the id of its base. */
  readonly base?: string;
  /** Instead of the true size. */
  readonly size?: number;
}

export const oidOf = ({ type, data }: FakeObject): string =>
  createHash('sha1').update(`${type} ${data.length}\0`).update(data).digest('hex');

/** A pack as git reads it; `count` instead of the true number of objects. */
export function packOf(objects: readonly FakeObject[], count = objects.length): Buffer {
  const header = Buffer.alloc(12);
  header.write('PACK');
  header.writeUInt32BE(2, 4);
  header.writeUInt32BE(count, 8);
  const body = objects.flatMap(({ type, data, base, size = data.length }) => [
    sizeHeader(TYPES[type], size),
    Buffer.from(base ?? '', 'hex'),
    deflateSync(data, { level: 1 }),
  ]);
  const content = Buffer.concat([header, ...body]);
  return Buffer.concat([content, createHash('sha1').update(content).digest()]);
}

/** Type and size: four bits, and then seven in each byte. */
function sizeHeader(type: number, size: number): Buffer {
  const bytes = [(type << 4) | (size % 16)];
  for (let rest = Math.floor(size / 16); rest > 0; rest = Math.floor(rest / 128)) {
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) | 0x80;
    bytes.push(rest % 128);
  }
  return Buffer.from(bytes);
}

/** Sizes in a delta: seven bits in each byte. */
export function deltaSize(size: number): number[] {
  const bytes = [size % 128];
  for (let rest = Math.floor(size / 128); rest > 0; rest = Math.floor(rest / 128)) {
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) | 0x80;
    bytes.push(rest % 128);
  }
  return bytes;
}

export interface FakeEntry {
  readonly mode?: string;
  readonly name: string | Buffer;
  readonly oid: string;
}

/** In the given order, with any names and modes. */
export function treeOf(entries: readonly FakeEntry[]): FakeObject {
  const data = Buffer.concat(
    entries.flatMap(({ mode = '100644', name, oid }) => [
      Buffer.from(`${mode} `),
      Buffer.from(name as string),
      Buffer.from([0]),
      Buffer.from(oid, 'hex'),
    ]),
  );
  return { type: 'tree', data };
}

export const blobOf = (text: string): FakeObject => ({ type: 'blob', data: Buffer.from(text) });

export function commitOf(tree: string, header = ''): FakeObject {
  const signature = 'Ada <ada@example.com> 1700000000 +0000';
  const text = `tree ${tree}\nauthor ${signature}\ncommitter ${signature}\n${header}\nHostile\n`;
  return { type: 'commit', data: Buffer.from(text) };
}

/** A branch with these objects; the tree is the first of them. */
export function branchOf(tree: FakeObject, others: readonly FakeObject[]): FakeBranch {
  const commit = commitOf(oidOf(tree));
  return { oid: oidOf(commit), pack: packOf([commit, tree, ...others]) };
}
