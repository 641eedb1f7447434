import { requireSupportedNode } from './bin/supported-node.js';

requireSupportedNode();
const { build } = await import('rolldown');
const { writeLicences } = await import('./build-licences.js');
const { buildSite } = await import('./build-site.js');

/**
 * Finding and opening modules takes most of the start-up time of Node, so the program is one file, together with its packages.
 * Not bundled are packages that load files of their own: native code, WebAssembly, scripts of threads, assets.
 */
const LOADED_FROM_NODE_MODULES = new Set([
  '@myriaddreamin/typst-ts-web-compiler',
  '@scalar/fastify-api-reference',
  'pino',
  'piscina',
  'sharp',
]);

const isPackage = (id) => /^[@a-z]/.test(id) && !id.startsWith('src/');
const packageOf = (id) =>
  id
    .split('/')
    .slice(0, id.startsWith('@') ? 2 : 1)
    .join('/');

/** graphile-worker would look for a configuration file in the working directory and all above it, and run it. */
const noConfigurationFiles = {
  name: 'no-configuration-files',
  load: (id) =>
    id.includes('/node_modules/cosmiconfig/')
      ? 'export const cosmiconfigSync = () => ({ search: () => null });'
      : undefined,
};

const { output } = await build({
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
  // A copy of Node's streams, for browsers and old versions.
  resolve: { alias: { 'readable-stream': 'node:stream' } },
  external: (id) => isPackage(id) && LOADED_FROM_NODE_MODULES.has(packageOf(id)),
  plugins: [noConfigurationFiles],
  output: { dir: 'dist', format: 'esm', sourcemap: true, cleanDir: true },
});

await writeLicences(output, 'dist/LICENCES.txt');
await buildSite('dist/site');
