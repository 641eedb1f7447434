import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Everything below a folder, but what version control and systems leave there. What is no file is not read, since a link
 * may lead out of the folder: `leaveOut` is told its path.
 */
export function* readFolderFrom(
  folder: string,
  leaveOut: (path: string) => void = () => {},
): Generator<{ path: string; bytes: Uint8Array }> {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const full = path.join(entry.parentPath, entry.name);
    const relative = path.relative(folder, full).split(path.sep).join('/');
    if (entry.isDirectory() || /^\.git\/|(^|\/)\.DS_Store$/.test(relative)) continue;
    if (entry.isFile()) yield { path: relative, bytes: readFileSync(full) };
    else leaveOut(relative);
  }
}
