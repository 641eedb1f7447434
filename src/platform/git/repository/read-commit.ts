import { GitError } from '../git-error.ts';
import { runLocal } from '../local.ts';
import type { Session } from '../network.ts';
import { requireOid } from '../remote.ts';
import type { Commit, Signature } from '../types.ts';

export async function readCommitObject(session: Session, oid: string): Promise<Commit> {
  requireOid(oid);
  const { code, stdout } = await runLocal(session, {
    args: ['cat-file', 'commit', oid],
    maxBytes: session.limits.commitBytes,
  });
  if (code !== 0) throw unknownCommit(oid);
  return parseCommit(oid, stdout);
}

export const unknownCommit = (oid: string) =>
  new GitError(
    'unknown-commit',
    `The commit ${oid} is not in the copy of the repository. Fetch its branch first.`,
  );

/** Headers, an empty line, the message. */
function parseCommit(oid: string, bytes: Buffer): Commit {
  const end = bytes.indexOf('\n\n');
  const header = end < 0 ? bytes : bytes.subarray(0, end);
  const decode = decoderOf(/^encoding (.+)$/m.exec(header.toString('latin1'))?.[1]);
  const text = decode(header);
  return {
    oid,
    parents: [...text.matchAll(/^parent ([0-9a-f]+)$/gm)].map(([, parent = '']) => parent),
    message: end < 0 ? '' : decode(bytes.subarray(end + 2)),
    author: parseSignature(text, 'author'),
    committer: parseSignature(text, 'committer'),
  };
}

/** `author A U Thor <author@example.com> 1700000000 +0100`; old programs wrote other things. */
function parseSignature(header: string, role: string): Signature {
  const line = new RegExp(`^${role} (.*)$`, 'm').exec(header)?.[1] ?? '';
  const [, name = '', email = ''] = /^([^<]*)<([^>]*)>/.exec(line) ?? [];
  return { name: name.trim(), email: email.trim() };
}

function decoderOf(encoding: string | undefined): (bytes: Buffer) => string {
  try {
    const decoder = new TextDecoder(encoding ?? 'utf-8', { ignoreBOM: true });
    return (bytes) => decoder.decode(bytes);
  } catch {
    return (bytes) => bytes.toString('utf8');
  }
}
