export type Encoding = 'br' | 'gzip';

/** The first encoding is preferred, because its results are smaller. */
const ENCODINGS: readonly Encoding[] = ['br', 'gzip'];

/**
 * The encoding that a client prefers (RFC 9110, 12.5.3); undefined: none. A client that refuses every form there is gets the
 * plain one: it can do more with that than with an error.
 */
export function preferredEncoding(
  accepted: string | undefined,
  available: readonly Encoding[] = ENCODINGS,
): Encoding | undefined {
  if (accepted === undefined) return undefined;
  const qualities = qualitiesOf(accepted);
  const any = qualities.get('*') ?? 0;
  const qualityOf = (encoding: Encoding): number => qualities.get(encoding) ?? any;
  const [best] = available.toSorted((a, b) => qualityOf(b) - qualityOf(a));
  if (best === undefined || qualityOf(best) === 0) return undefined;
  // A plain body is always acceptable, but preferred only by those who say so.
  return qualityOf(best) < (qualities.get('identity') ?? 0) ? undefined : best;
}

/** Whether a client takes the body only if it is compressed. */
export function refusesPlain(accepted: string | undefined): boolean {
  // Browsers send no qualities: nothing is parsed for them.
  if (!accepted?.includes(';')) return false;
  const qualities = qualitiesOf(accepted);
  return (qualities.get('identity') ?? qualities.get('*')) === 0;
}

function qualitiesOf(header: string): ReadonlyMap<string, number> {
  const qualities = new Map<string, number>();
  for (const entry of header.split(',')) {
    const [name = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase());
    const given = parameters.find((parameter) => /^q\s*=/.test(parameter))?.replace(/^q\s*=\s*/, '');
    const quality = given === undefined ? 1 : Number(given);
    // An unreadable quality is no wish.
    if (name !== '') qualities.set(name, quality >= 0 && quality <= 1 ? quality : 0);
  }
  return qualities;
}
