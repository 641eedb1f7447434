import { normalize } from '../../normalize.ts';
import { hash } from 'node:crypto';
import type { Tree } from '../tree.ts';

/** Maximum UTF-8 length of a generated name. File systems allow 255 bytes, and a number may be appended. */
const MAX_NAME_BYTES = 200;
/** Characters that Windows forbids in names. */
// oxlint-disable-next-line no-control-regex -- control characters are among them
const FORBIDDEN = /[<>:"|?*\\\u0000-\u001f]/gu;
/** Names that Windows reserves for devices, with any extension. */
const DEVICE = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?=\.|$)/iu;

/** Paths that folding does not change: nearly all. Normalisation takes several times as long as this test. */
const FOLDED = /^[a-z0-9/._-]*$/;

/** Equal for paths that are one file on a file system that ignores case and Unicode normalisation. */
export const foldPath = (path: string): string =>
  FOLDED.test(path) ? path : normalize(normalize(path).toLowerCase());

/** Makes a generated path valid on every file system. Imported paths are not changed. */
export const portablePath = (path: string): string => path.split('/').map(portableName).join('/');

function portableName(name: string): string {
  const allowed = name.replace(FORBIDDEN, '-').replace(/(?<![. ])[. ]+$/u, '');
  return allowed === '' ? 'file' : shortened(allowed).replace(DEVICE, '$&-');
}

const encoder = new TextEncoder();

/** Cuts between characters, and keeps the extension. A part of the hash keeps different names different. */
function shortened(name: string): string {
  if (encoder.encode(name).length <= MAX_NAME_BYTES) return name;
  const extension = /\.[^.]{1,15}$/u.exec(name)?.[0] ?? '';
  const end = `-${hash('sha256', name).slice(0, 8)}${extension}`;
  let room = MAX_NAME_BYTES - encoder.encode(end).length;
  let cut = '';
  for (const char of name) {
    room -= encoder.encode(char).length;
    if (room < 0) break;
    cut += char;
  }
  return cut + end;
}

/** The ids of all entries with this path, or with one that some file systems treat as the same. */
export function ownersOf(
  { sources, foldedSources }: Pick<Tree, 'sources' | 'foldedSources'>,
  path: string,
): readonly string[] {
  if (sources.size === 0) return [];
  const key = foldPath(path);
  const exact = sources.get(key);
  const folded = foldedSources.get(key) ?? [];
  return exact === undefined ? folded : [exact, ...folded];
}
