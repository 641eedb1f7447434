import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Everything below a folder, but what version control and systems leave there. */
export function* readFolderFrom(folder: string): Generator<{ path: string; bytes: Uint8Array }> {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    // What a link points at may be outside.
    if (!entry.isFile()) continue;
    const full = path.join(entry.parentPath, entry.name);
    const relative = path.relative(folder, full).split(path.sep).join('/');
    if (!/^\.git\/|(^|\/)\.DS_Store$/.test(relative)) yield { path: relative, bytes: readFileSync(full) };
  }
}
