import { hash } from 'node:crypto';
import type { SharedMap } from './shared-map.ts';

/** Bytes of UTF-8 that a name of ours has at most. File systems take 255, and a number may follow. */
const MAX_NAME_BYTES = 200;
/** What Windows refuses in a name. */
// oxlint-disable-next-line no-control-regex -- control characters are among them
const REFUSED = /[<>:"|?*\\\u0000-\u001f]/gu;
/** What Windows takes for a device, whatever the extension. */
const DEVICE = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?=\.|$)/iu;

/** Equal for paths that are one file where neither case nor the form of accents tells names apart. */
export const foldPath = (path: string): string => path.normalize('NFC').toLowerCase().normalize('NFC');

/** A path of our own making that every file system takes. Paths that came from a folder stay as they are. */
export const portablePath = (path: string): string => path.split('/').map(portableName).join('/');

function portableName(name: string): string {
  const allowed = name.replace(REFUSED, '-').replace(/[. ]+$/u, '');
  return allowed === '' ? 'file' : shortened(allowed).replace(DEVICE, '$&-');
}

const encoder = new TextEncoder();

/** Whole characters, the extension, and a part of the hash: what differs still differs when it is cut. */
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

/** By shard, because the trees of many revisions share them. */
const foldedShards = new WeakMap<ReadonlyMap<string, string>, ReadonlyMap<string, readonly string[]>>();

function foldedShard(shard: ReadonlyMap<string, string>): ReadonlyMap<string, readonly string[]> {
  const known = foldedShards.get(shard);
  if (known) return known;
  const folded = new Map<string, string[]>();
  for (const [path, id] of shard) {
    const key = foldPath(path);
    const ids = folded.get(key);
    if (ids) ids.push(id);
    else folded.set(key, [id]);
  }
  foldedShards.set(shard, folded);
  return folded;
}

/** The ids of all that have this path, or one that some file systems take for the same. */
export function ownersOf(sources: SharedMap<string>, path: string): readonly string[] {
  const key = foldPath(path);
  return sources.shards.flatMap((shard) => foldedShard(shard).get(key) ?? []);
}
