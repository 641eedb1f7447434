import type { Context } from '../../platform/api/context.ts';
import { ApiError, badRequest } from '../../platform/api/errors.ts';
import { GitError, parseRemote, requireRef, type Remote } from '../../platform/git/index.ts';

/** The remote of a request with its credentials, and the directory. `path`: where the request has the directory. */
export async function readRemote(
  ctx: Pick<Context, 'git'>,
  { url, ref }: { readonly url: string; readonly ref: string },
  { directory = '', path: place }: { readonly directory?: string | undefined; readonly path: string },
): Promise<{ readonly remote: Remote; readonly directory: string }> {
  await requireProgram(ctx);
  try {
    requireRef(ref);
    return { remote: parseRemote(url).remote, directory: readDirectory(directory, place) };
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    const path = error.reason === 'invalid-ref' ? 'body.ref' : 'body.url';
    throw badRequest(`${path}: ${error.message}`, [{ path, rule: error.message }]);
  }
}

async function requireProgram({ git }: Pick<Context, 'git'>): Promise<void> {
  try {
    await git.requireProgram();
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    throw new ApiError(501, error.message);
  }
}

/** A directory of the repository, without slashes at its ends. */
function readDirectory(text: string, path: string): string {
  const names = text.split('/').filter((name) => name !== '' && name !== '.');
  const isOutside = names.some((name) => name === '..' || /^\.git$/i.test(name));
  if (!isOutside && !/[\p{Cc}\\]/u.test(text)) return names.join('/');
  const rule = 'Send the path of a directory inside the repository, such as docs/handbook';
  throw badRequest(`${path}: ${rule}.`, [{ path, rule }]);
}
