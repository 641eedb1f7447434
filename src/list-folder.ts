import { readdirSync, readFileSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { ReadableEntry } from './domains/content/index.ts';

export interface ListedFolder {
  readonly files: readonly ReadableEntry[];
  /** Files of Git and macOS. */
  readonly ignored: readonly string[];
  /** Symbolic links, which may lead out of the folder, sockets and devices. */
  readonly irregular: readonly string[];
}

/** Lists a folder recursively. Its files are read later. */
export function listFolder(folder: string): ListedFolder {
  const [files, ignored, irregular]: [ReadableEntry[], string[], string[]] = [[], [], []];
  const walk = (inside: string) => {
    for (const entry of readdirSync(path.join(folder, inside), { withFileTypes: true })) {
      const relative = inside === '' ? entry.name : `${inside}/${entry.name}`;
      const full = path.join(folder, relative);
      if (relative === '.git' || entry.name === '.DS_Store') ignored.push(relative);
      else if (entry.isDirectory()) walk(relative);
      else if (entry.isFile()) files.push(fileOf(relative, full));
      else irregular.push(relative);
    }
  };
  walk('');
  return { files, ignored, irregular };
}

/** Reading a small file takes less time than waiting for it. At the first start and in commands, no request waits. */
const MAX_SYNC = 64 * 1024;

function fileOf(relative: string, full: string): ReadableEntry {
  const { size } = statSync(full);
  return {
    path: relative,
    size,
    read: async () => (size > MAX_SYNC ? readFile(full) : readFileSync(full)),
  };
}
