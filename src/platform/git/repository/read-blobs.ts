import { GitError } from '../git-error.ts';
import { startLocal } from '../local.ts';
import type { Session } from '../network.ts';
import { requireOid } from '../remote.ts';
import type { GitProcess } from '../run.ts';

const LINE_FEED = 10;

/** The contents of blobs, from one process. What is not yet asked for stays in its pipe. */
export async function* readBlobContents(
  session: Session,
  oids: readonly string[],
  onDamage: () => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  if (oids.length === 0) return;
  oids.forEach(requireOid);
  const process = startLocal(session, ['cat-file', '--batch', '--buffer']);
  const output = createReader(process, () => {
    onDamage();
    return damaged();
  });
  try {
    process.stdin.end(`${oids.join('\n')}\n`);
    for (const oid of oids) {
      while (!output.hasLine()) await output.readMore();
      // `<oid> blob <size>`, or `<oid> missing`
      const [, type = '', text = ''] = output.takeLine().split(' ');
      if (type === 'missing') {
        onDamage();
        throw damaged();
      }
      if (type !== 'blob') throw new GitError('failed', `${oid} is not the id of a file's contents.`);
      const size = Number(text);
      if (size > session.limits.blobBytes) throw tooLarge(session.limits.blobBytes);
      // A copy: a part of a chunk would keep the whole of it in memory.
      const bytes = new Uint8Array(size);
      for (let filled = output.readInto(bytes, 0); filled < size; filled = output.readInto(bytes, filled)) {
        await output.readMore();
      }
      while (!output.hasLine()) await output.readMore();
      output.takeLine();
      yield bytes;
    }
  } finally {
    process.stop(new GitError('failed', 'Reading has ended.'));
    await process.ended;
  }
}

/** The output of a process; `onEnd` makes the error for one that ends too early. */
function createReader(process: GitProcess, onEnd: () => GitError) {
  const chunks = process.stdout[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  let rest: Buffer = Buffer.alloc(0);
  return {
    async readMore(): Promise<void> {
      const { value, done } = await process.within(chunks.next());
      if (done) throw onEnd();
      rest = rest.length === 0 ? value : Buffer.concat([rest, value]);
    },
    hasLine: (): boolean => rest.includes(LINE_FEED),
    takeLine(): string {
      const end = rest.indexOf(LINE_FEED);
      const line = rest.toString('latin1', 0, end);
      rest = rest.subarray(end + 1);
      return line;
    },
    /** Reads from an offset on, as far as there are bytes. Returns where it stopped. */
    readInto(bytes: Uint8Array, offset: number): number {
      const taken = rest.subarray(0, bytes.length - offset);
      bytes.set(taken, offset);
      rest = rest.subarray(taken.length);
      return offset + taken.length;
    },
  };
}

const damaged = () =>
  new GitError('damaged-copy', 'The copy of the repository on this server is incomplete. Try again.');

const tooLarge = (bytes: number) =>
  new GitError(
    'too-large',
    `A file has more than ${Math.floor(bytes / 1024 / 1024)} MB. Remove it from the repository.`,
  );
