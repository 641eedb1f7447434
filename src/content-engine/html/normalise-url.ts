/** No request accepts longer URLs. */
const MAX_URL = 8192;

/** Characters that need no percent-encoding: those that `encodeURIComponent` leaves. */
const PLAIN = /^[A-Za-z0-9\-_.!~*'()]$/;

/**
 * The identity of a web page: URLs with the same one are the same page. `/guide/`, `/guide.html` and `/guide/index.html`
 * are `/guide`. The query belongs to it, the fragment does not. Undefined: not the URL of a web page.
 */
export function normaliseUrl(url: string | URL): string | undefined {
  const parsed = typeof url === 'string' ? parse(url) : url;
  if (!parsed || !/^https?:$/.test(parsed.protocol) || parsed.username || parsed.password) return undefined;
  const { protocol, hostname, port, pathname, search } = parsed;
  const host = (hostname.endsWith('.') ? hostname.slice(0, -1) : hostname) + (port && `:${port}`);
  return `${protocol}//${host}${pagePath(normaliseEncoding(pathname))}${normaliseEncoding(search)}`;
}

const parse = (url: string): URL | undefined =>
  url.length <= MAX_URL && URL.canParse(url) ? new URL(url) : undefined;

const normaliseEncoding = (text: string): string =>
  text.includes('%') ? text.replace(/%[0-9a-f]{2}/gi, normaliseEscape) : text;

function normaliseEscape(escape: string): string {
  const char = String.fromCharCode(Number.parseInt(escape.slice(1), 16));
  return PLAIN.test(char) ? char : escape.toUpperCase();
}

/** Repeated until nothing changes, so that the identity of an identity is itself. */
function pagePath(path: string): string {
  let short = path;
  for (;;) {
    let end = short.length;
    while (short.charAt(end - 1) === '/') end--;
    short = short.slice(0, end);
    const name = short.slice(short.lastIndexOf('/') + 1);
    if (/^index\.html?$/i.test(name)) short = short.slice(0, -name.length);
    else if (/.\.html?$/i.test(name)) short = short.slice(0, short.lastIndexOf('.'));
    else return short;
  }
}
