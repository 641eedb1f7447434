import { requireSupportedNode } from './bin/supported-node.js';

requireSupportedNode();
const { build } = await import('rolldown');
const { buildSite } = await import('./build-site.js');

/**
 * Most of the start-up time of Node is spent on finding and opening modules. So the program is one file, together with
 * the libraries that consist of many small modules; the others are loaded from node_modules.
 */
const MANY_SMALL_MODULES = new Set([
  'typebox',
  'kysely',
  'lru-cache',
  'nanoid',
  'fractional-indexing',
  'entities',
]);

const isPackage = (id) => /^[@a-z]/.test(id) && !id.startsWith('src/');
const packageOf = (id) => id.split('/')[0];

await build({
  // All but the first run in their own threads or processes, and are loaded from the same folder.
  input: {
    main: 'src/main.ts',
    'compiler-main': 'src/platform/pdf/compiler-main.ts',
    'pdf-worker': 'src/platform/pdf/pdf-worker.ts',
    'scale-images': 'src/platform/pdf/scale-images.ts',
    typeset: 'src/domains/pdfs/typeset.ts',
    'thread-main': 'src/platform/threads/thread-main.ts',
    tasks: 'src/tasks.ts',
  },
  platform: 'node',
  external: (id) => isPackage(id) && !MANY_SMALL_MODULES.has(packageOf(id)),
  output: { dir: 'dist', format: 'esm', sourcemap: true, cleanDir: true },
});

await buildSite('dist/site');
