import { requireSupportedNode } from './bin/supported-node.js';
import { buildStale, PROGRAM } from './build-stale.js';

requireSupportedNode();

/** Packages that a part needs are loaded with it: `npm ci --omit=dev` does not install them. */
await buildStale([
  {
    ...PROGRAM,
    build: async () => (await import('./build-program.js')).buildProgram(),
  },
  {
    name: 'assets',
    inputs: ['build-assets.js'],
    output: 'dist/assets/LICENCES.txt',
    build: async () => (await import('./build-assets.js')).buildAssets('dist/assets'),
  },
  {
    name: 'site',
    inputs: ['src/site', 'build-site.js', 'build-math.js'],
    output: 'dist/site/manifest.json',
    build: async () => (await import('./build-site.js')).buildSite('dist/site'),
  },
]);
