import { requireSupportedNode } from './bin/supported-node.js';

requireSupportedNode();
const { build } = await import('rolldown');

/**
 * Node spends most of a start on finding and opening modules, one by one. So the program is one file, together with
 * those libraries that are many small ones; the rest stay where npm put them.
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
  // All but the first run in threads or processes of their own: they are found beside it.
  input: {
    main: 'src/main.ts',
    'pdf-worker': 'src/platform/pdf/pdf-worker.ts',
    'scale-images': 'src/platform/pdf/scale-images.ts',
    typeset: 'src/domains/pdfs/typeset.ts',
    thread: 'src/platform/threads/thread.ts',
    tasks: 'src/tasks.ts',
  },
  platform: 'node',
  external: (id) => isPackage(id) && !MANY_SMALL_MODULES.has(packageOf(id)),
  output: { dir: 'dist', format: 'esm', sourcemap: true, cleanDir: true },
});
