import { GitError } from './git-error.ts';
import { URL_LENGTH } from './limits.ts';
import type { Credential, Remote } from './types.ts';

const invalid = (message: string) => new GitError('invalid-url', message);

/** Excludes what CURLOPT_RESOLVE would read as an instruction, too: a leading `+` or `-`, and `*`. */
const HOST = /^(\[[0-9a-f:.]+\]|[a-z0-9_][a-z0-9._-]*)$/;
const UNPRINTABLE = /[\p{Cc}\p{Z}\\]/u;
const CONTROL = /\p{Cc}/u;

/** Splits the credentials off a URL. */
export function parseRemote(text: string): { remote: Remote } {
  const url = parseRepositoryUrl(text);
  const credential = credentialOf(url);
  url.username = '';
  url.password = '';
  return { remote: { url: url.href, ...(credential ? { credential } : {}) } };
}

/** The URL as git gets it is the result of this parser, so that no two programs read it differently. */
export function parseRepositoryUrl(text: string): URL {
  if (text.length > URL_LENGTH) throw invalid(`The URL is longer than ${URL_LENGTH} characters. Shorten it.`);
  if (UNPRINTABLE.test(text)) {
    throw invalid(
      'The URL contains a space, a backslash or a control character. Remove it, or write it as %20.',
    );
  }
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) {
    throw invalid(
      'This is not the URL of a repository. Use the HTTPS URL of it, for example https://example.com/team/docs.git.',
    );
  }
  const url = new URL(text);
  if (!HOST.test(url.hostname)) throw invalid('The host in the URL is invalid. Check the URL.');
  if (url.search || url.hash || text.includes('?') || text.includes('#')) {
    throw invalid(
      'The URL contains ? or #. Use the URL for cloning, which ends with the name of the repository.',
    );
  }
  if (/^\/*$/.test(url.pathname)) {
    throw invalid('The URL names a host only. Add the path of the repository.');
  }
  return url;
}

function credentialOf(url: URL): Credential | undefined {
  if (!url.username && !url.password) return undefined;
  const credential = { username: percentDecode(url.username), password: percentDecode(url.password) };
  requireCredential(credential);
  return credential;
}

/** Git does not send an empty user name. Hosts accept any with a token, and one of them this one only for some tokens. */
export const TOKEN_OWNER = 'oauth2';

/** The protocol of credential helpers has lines. */
export function requireCredential({ username, password }: Credential): void {
  if (CONTROL.test(username) || CONTROL.test(password)) {
    throw invalid('The user name or password contains a control character. Remove it.');
  }
}

function percentDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * Git allows more: invisible characters, which make two names look the same, and those with a meaning to shells, which are not
 * used here, are refused.
 */
const REF = /^refs\/heads\/[^\p{C}\p{Z}~^:?*[\\`$;|&<>"']{1,200}$/u;
/** Names that `git check-ref-format` forbids besides, and a leading `-`, which could be taken for an option. */
const MALFORMED = /\.\.|\/\/|\/\.|^refs\/heads\/-|\.lock(\/|$)|[./]$|@\{|^refs\/heads\/@$/;

/** A branch, with its full name. */
export function requireRef(ref: string): void {
  if (REF.test(ref) && !MALFORMED.test(ref)) return;
  throw new GitError(
    'invalid-ref',
    'The ref is not the full name of a branch. Use one such as refs/heads/main.',
  );
}

/** Not zeros: to push those would delete the branch. */
const OID = /^(?!0+$)([0-9a-f]{40}|[0-9a-f]{64})$/;

export const isOid = (text: string): boolean => OID.test(text);

export function requireOid(oid: string): void {
  if (!isOid(oid)) throw new GitError('unknown-commit', 'An object id has 40 or 64 hexadecimal digits.');
}
