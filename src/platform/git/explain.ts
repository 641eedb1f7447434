import { GitError, type GitReason } from './git-error.ts';
import { REMOTE_MESSAGE_LENGTH } from './limits.ts';
import type { Credential } from './types.ts';

interface Explanation {
  readonly pattern: RegExp;
  readonly reason: GitReason;
  /** `host`: of the remote; `detail`: the line of git that matched. */
  readonly message: (host: string, detail: string) => string;
}

/** Messages of git and curl in their C locale, the most specific first. */
const EXPLANATIONS: readonly Explanation[] = [
  {
    pattern: /unable to update url base from redirection|returned error: 30\d/,
    reason: 'no-repository',
    message: (host) =>
      `${host} redirects to another URL, and redirects are not followed. Use the final URL; it often ends with .git.`,
  },
  {
    pattern: /Authentication failed|could not read (Username|Password)|returned error: 40[13]/,
    reason: 'unauthorised',
    message: (host) =>
      `${host} refuses access to the repository. Check that it exists, and that the user name and the password or token are valid and allow it.`,
  },
  {
    pattern:
      /repository '.*' not found|returned error: (404|410)|not valid: is this a git repository|dumb http/,
    reason: 'no-repository',
    message: (host) => `${host} has no Git repository at this URL. Check the URL, and that you may read it.`,
  },
  {
    pattern: /Could not resolve host/,
    reason: 'unknown-host',
    message: (host) => `The host ${host} does not exist. Check the URL.`,
  },
  {
    pattern: /SSL|TLS|certificate/,
    reason: 'unreachable',
    message: (host) =>
      `The TLS connection to ${host} failed. Check the URL, and the certificate of the host.`,
  },
  {
    pattern: /too slow|timed out|timeout/i,
    reason: 'timeout',
    message: (host) => `${host} did not respond in time. Try again later.`,
  },
  {
    pattern: /No space left on device|Disk quota exceeded/,
    reason: 'failed',
    message: () => 'The disk of this server is full. Its operator must make space.',
  },
  {
    pattern: /over limit|[Oo]ut of memory|unable to (mmap|malloc)|allocation failed/,
    reason: 'too-large',
    message: () =>
      'The repository contains an object that is too large to be read. Remove it from the last commit of the branch.',
  },
  {
    pattern:
      /fsck error|: (has|contains|bad|null|missing|zero|full|empty|dup|tree|gitmodules|not|unk|multiple)\w*: |non-commit object/i,
    reason: 'invalid-repository',
    message: (_host, detail) =>
      `The repository is invalid: ${detail}. Correct it with "git fsck", and push it again.`,
  },
  {
    pattern:
      /Failed to connect|Connection (refused|reset|closed)|Empty reply|returned error: (5\d\d|429)|Recv failure|Send failure|Couldn't connect|Network is unreachable|No route to host/,
    reason: 'unreachable',
    message: (host) => `${host} cannot be reached. Check the URL, or try later.`,
  },
  {
    pattern:
      /index-pack failed|bad pack|invalid index-pack|did not send all necessary objects|pack is corrupted|pack has bad|inflate|unresolved delta|protocol error|bad line length|early EOF|unexpected disconnect|hung up unexpectedly|RPC failed|expected (flush|shallow|ref)|garbage at end|bad object|unable to parse/,
    reason: 'invalid-repository',
    message: (host, detail) => `What ${host} sent is not a valid repository: ${detail}. Try again later.`,
  },
];

/** Explains the output of a failed git process to people. */
export function explain(
  stderr: string,
  remote: { host: string; credential?: Credential | undefined; folder: string },
): GitError {
  const text = withoutSecrets(stderr, remote.credential).replaceAll(remote.folder, '');
  for (const { pattern, reason, message } of EXPLANATIONS) {
    const found = linesOf(text).find((line) => pattern.test(line));
    if (found !== undefined) return new GitError(reason, message(remote.host, shorten(found)));
  }
  const last = linesOf(text).findLast((line) => /^(fatal|error): /.test(line)) ?? '';
  return new GitError(
    'failed',
    `Git failed${last ? `: ${shorten(last)}` : ' without a message'}. Try again later.`,
  );
}

/** The message of the remote itself, such as the reason of a hook. */
export function remoteMessage(stderr: string, credential: Credential | undefined): string {
  const lines = linesOf(withoutSecrets(stderr, credential))
    .filter((line) => line.startsWith('remote:'))
    .map((line) => line.slice('remote:'.length).trim());
  return lines.filter(Boolean).join(' ').slice(0, REMOTE_MESSAGE_LENGTH);
}

/** Colours and other instructions to a terminal, and characters that change the direction of text. */
const INVISIBLE = /\p{Cc}\[[0-9;?]*[A-Za-z]|[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

const linesOf = (text: string): string[] =>
  text
    .split(/[\r\n]+/)
    .map((line) => line.replaceAll(INVISIBLE, ' ').trim())
    .filter(Boolean);

const shorten = (line: string): string =>
  line
    .replace(/^(fatal|error|remote): /, '')
    .slice(0, REMOTE_MESSAGE_LENGTH)
    .replace(/(?<![.\s])[.\s]+$/, '');

/** A remote may send back what it received. */
export function withoutSecrets(text: string, credential: Credential | undefined): string {
  if (!credential) return text;
  const { username, password } = credential;
  const secret = password || username;
  const encoded = [`${username}:${password}`, secret].map((value) =>
    Buffer.from(value)
      .toString('base64')
      .replace(/={1,2}$/, ''),
  );
  return [...encoded, encodeURIComponent(secret), secret].reduce(
    (left, found) => (found ? left.replaceAll(found, '***') : left),
    text,
  );
}
