/** Where a visitor signs in, and comes back from. */
export function signInUrl(fallback: string, path: string): string | undefined {
  if (!URL.canParse(fallback)) return undefined;
  const url = new URL(fallback);
  url.searchParams.set('location', path);
  return url.href;
}
