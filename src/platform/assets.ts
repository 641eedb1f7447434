import path from 'node:path';
import { PACKAGE_ROOT } from './version.ts';

/** A file that `build-assets.js` copied from a package, which is not installed where the program runs. */
export const assetFile = (name: string): string => path.join(PACKAGE_ROOT, 'dist/assets', name);
