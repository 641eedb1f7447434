import { readdirSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { FolderEntry } from './domains/content/index.ts';

export interface ListedFolder {
  readonly files: readonly FolderEntry[];
  /** Files of version control and of the operating system. */
  readonly ignored: readonly string[];
  /** Symbolic links, which may point outside of the folder, and other entries that are not files. */
  readonly others: readonly string[];
}

/** Everything below a folder. The bytes of its files are read later. */
export function listFolder(folder: string): ListedFolder {
  const [files, ignored, others]: [FolderEntry[], string[], string[]] = [[], [], []];
  const walk = (inside: string) => {
    for (const entry of readdirSync(path.join(folder, inside), { withFileTypes: true })) {
      const relative = inside === '' ? entry.name : `${inside}/${entry.name}`;
      const full = path.join(folder, relative);
      if (relative === '.git' || entry.name === '.DS_Store') ignored.push(relative);
      else if (entry.isDirectory()) walk(relative);
      else if (entry.isFile())
        files.push({ path: relative, size: statSync(full).size, read: () => readFile(full) });
      else others.push(relative);
    }
  };
  walk('');
  return { files, ignored, others };
}
