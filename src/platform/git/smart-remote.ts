import { OutboundError } from '../outbound/index.ts';
import { GitError } from './git-error.ts';
import { checkRemote, type Session } from './network.ts';
import { TOKEN_OWNER } from './remote.ts';

const ADVERTISEMENT = 'application/x-git-upload-pack-advertisement';

/**
 * Git reads any web page as the list of branches of a server without the smart protocol: it would look like an empty
 * repository. Asked only if there is no such branch.
 */
export async function requireSmartRemote({ outbound, remote, limits, signal }: Session): Promise<void> {
  const { url } = await checkRemote(outbound, remote.url);
  const answer = await outbound
    .stream(`${url.href.replace(/(?<!\/)\/+$/, '')}/info/refs?service=git-upload-pack`, {
      headers: { 'git-protocol': 'version=2', ...authorization(remote.credential) },
      accept: '*/*',
      maxBytes: Number.MAX_SAFE_INTEGER,
      timeoutMs: limits.lookupMs,
      redirects: 0,
      signal,
    })
    .catch((error: unknown) => {
      if (!(error instanceof OutboundError)) throw error;
      throw new GitError('unreachable', error.message, error);
    });
  answer.body.on('error', () => undefined).destroy();
  if (answer.headers['content-type'] === ADVERTISEMENT) return;
  throw new GitError(
    'no-repository',
    `${url.host} has no Git repository at this URL. Check the URL; it often ends with .git.`,
  );
}

function authorization(credential: Session['remote']['credential']): Record<string, string> {
  if (!credential) return {};
  const pair = `${credential.username || TOKEN_OWNER}:${credential.password}`;
  return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
}
