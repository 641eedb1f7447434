import { distance } from './content-engine/edit-distance.ts';

/** Typos, and words that are missing or too many: OCTAVO_PORT for PORT, OCTAVO_LOG for OCTAVO_LOG_LEVEL. */
const MAX_DISTANCE = 7;

const PREFIX = /^OCTAVO_/;
const withoutPrefix = (name: string): string => name.replace(PREFIX, '');

/** Kubernetes sets such variables for a service that is named after Octavo. */
const SERVICE_NAME = /_SERVICE_(HOST|PORT)(_|$)|_PORT_\d+_(TCP|UDP)(_|$)/;
const SERVICE_ADDRESS = /^(tcp|udp):\/\//;

/** Variables that look like ours and have no effect. */
export function unknownVariables(
  given: Readonly<Record<string, string | undefined>>,
  known: readonly string[],
): string[] {
  const isKnown = new Set(known.flatMap((name) => [name, `${name}_FILE`]));
  return Object.entries(given)
    .filter(([name, value]) => value && PREFIX.test(name) && !isKnown.has(name))
    .filter(([name, value]) => !SERVICE_NAME.test(name) && !SERVICE_ADDRESS.test(value ?? ''))
    .map(([name]) => {
      const nearest = nearestOf(name.replace(/_FILE$/, ''), known);
      return `${name} is no variable of Octavo and has no effect.${nearest ? ` Did you mean ${nearest}?` : ''}`;
    });
}

function nearestOf(name: string, known: readonly string[]): string | undefined {
  const limit = Math.min(MAX_DISTANCE, Math.ceil(name.length / 3));
  const [nearest] = known
    .map((each) => ({ each, far: distance(withoutPrefix(name), withoutPrefix(each), limit) }))
    .filter(({ far }) => far <= limit)
    .toSorted((a, b) => a.far - b.far);
  return nearest?.each;
}
