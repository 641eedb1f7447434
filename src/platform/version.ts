import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The folder of the package, both from source and from the bundled file. */
export const PACKAGE_ROOT = rootAbove(import.meta.dirname);

function rootAbove(folder: string): string {
  return existsSync(path.join(folder, 'package.json')) ? folder : rootAbove(path.dirname(folder));
}

const manifest = JSON.parse(readFileSync(path.join(PACKAGE_ROOT, 'package.json'), 'utf8')) as {
  version: string;
};

export const VERSION = manifest.version;

/** The version, and the runtime. */
export const BUILD = `${manifest.version}+node${process.versions.node}`;
