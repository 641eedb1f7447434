import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The package's own folder, from wherever this stands: its source, or the one file that the program is built into. */
export const PACKAGE_ROOT = rootAbove(import.meta.dirname);

function rootAbove(folder: string): string {
  return existsSync(path.join(folder, 'package.json')) ? folder : rootAbove(path.dirname(folder));
}

const manifest = JSON.parse(readFileSync(path.join(PACKAGE_ROOT, 'package.json'), 'utf8')) as {
  version: string;
};

export const VERSION = manifest.version;

/** What was built: the version and the runtime it runs on. */
export const BUILD = `${manifest.version}+node${process.versions.node}`;
