import { GitError } from './git-error.ts';
import { startLocal } from './local.ts';
import type { Session } from './network.ts';
import { requireOid } from './remote.ts';

const LINE_FEED = 10;

/** The contents of blobs, from one process. What is not yet asked for stays in its pipe. */
export async function* readBlobContents(
  session: Session,
  oids: readonly string[],
): AsyncGenerator<Uint8Array, void, undefined> {
  if (oids.length === 0) return;
  oids.forEach(requireOid);
  const process = startLocal(session, ['cat-file', '--batch', '--buffer']);
  const chunks = process.stdout[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  let rest: Buffer = Buffer.alloc(0);

  async function readMore(): Promise<void> {
    const { value, done } = await process.within(chunks.next());
    if (done) throw damaged();
    rest = rest.length === 0 ? value : Buffer.concat([rest, value]);
  }

  async function readHeader(): Promise<string> {
    let end = rest.indexOf(LINE_FEED);
    for (; end < 0; end = rest.indexOf(LINE_FEED)) await readMore();
    const header = rest.toString('latin1', 0, end);
    rest = rest.subarray(end + 1);
    return header;
  }

  async function readBytes(size: number): Promise<Uint8Array> {
    // A copy: a part of a chunk would keep the whole of it in memory.
    const bytes = new Uint8Array(size);
    let filled = 0;
    while (filled < size) {
      if (rest.length === 0) await readMore();
      const taken = rest.subarray(0, size - filled);
      bytes.set(taken, filled);
      filled += taken.length;
      rest = rest.subarray(taken.length);
    }
    if (rest.length === 0) await readMore();
    rest = rest.subarray(1);
    return bytes;
  }

  try {
    process.stdin.end(`${oids.join('\n')}\n`);
    for (const oid of oids) {
      const [, type = '', size = ''] = (await readHeader()).split(' ');
      if (type === 'missing') throw damaged();
      if (type !== 'blob') throw new GitError('failed', `${oid} is not the id of a file's contents.`);
      if (Number(size) > session.limits.blobBytes) throw tooLarge(session.limits.blobBytes);
      yield await readBytes(Number(size));
    }
  } finally {
    process.stop(new GitError('failed', 'Reading has ended.'));
    await process.ended;
  }
}

export const damaged = () =>
  new GitError('damaged-copy', 'The copy of the repository on this server is incomplete. Try again.');

const tooLarge = (bytes: number) =>
  new GitError(
    'too-large',
    `A file has more than ${Math.floor(bytes / 1024 / 1024)} MB. Remove it from the repository.`,
  );
