/** The cookies of a request by name. Of several with one name the first is used: browsers send the most specific first. */
export function parseCookies(header = ''): ReadonlyMap<string, string> {
  const cookies = new Map<string, string>();
  for (const pair of header.split(';')) {
    const end = pair.indexOf('=');
    const name = pair.slice(0, Math.max(end, 0)).trim();
    if (name && !cookies.has(name)) cookies.set(name, decoded(pair.slice(end + 1).trim()));
  }
  return cookies;
}

function decoded(value: string): string {
  const text = /^".*"$/.test(value) ? value.slice(1, -1) : value;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
