import { readFileSync } from 'node:fs';
import path from 'node:path';

/** The package's own folder: `src/platform` and `dist/platform` are equally deep in it. */
export const PACKAGE_ROOT = path.resolve(import.meta.dirname, '../..');

const manifest = JSON.parse(readFileSync(path.join(PACKAGE_ROOT, 'package.json'), 'utf8')) as {
  version: string;
};

export const VERSION = manifest.version;

/** What was built: the version and the runtime it runs on. */
export const BUILD = `${manifest.version}+node${process.versions.node}`;
