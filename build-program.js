import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'rolldown';
import { writeLicences } from './build-licences.js';

/**
 * Finding and opening modules takes most of the start-up time of Node, so the program is one file, together with its packages.
 * Not bundled are packages that load files of their own: native code, WebAssembly, scripts of threads, assets.
 */
const LOADED_FROM_NODE_MODULES = new Set([
  '@myriaddreamin/typst-ts-web-compiler',
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

export async function buildProgram() {
  await clean('dist', ['assets', 'site']);
  const { output } = await build({
    // All but the first run in their own threads or processes, and are loaded from the same folder.
    input: {
      main: 'src/main.ts',
      'compiler-main': 'src/platform/pdf/compiler-main.ts',
      'pdf-worker': 'src/platform/pdf/pdf-worker.ts',
      'scale-images': 'src/platform/pdf/images/scale-images.ts',
      typeset: 'src/domains/pdfs/typeset.ts',
      'thread-main': 'src/platform/threads/thread-main.ts',
      tasks: 'src/tasks.ts',
    },
    platform: 'node',
    // A copy of Node's streams, for browsers and old versions.
    resolve: { alias: { 'readable-stream': 'node:stream' } },
    external: (id) => isPackage(id) && LOADED_FROM_NODE_MODULES.has(packageOf(id)),
    plugins: [noConfigurationFiles],
    output: { dir: 'dist', format: 'esm', sourcemap: true },
  });
  await writeLicences(output, 'dist/LICENCES.txt');
}

/** Parts of the bundle have a hash in their names, so that old ones would remain. */
async function clean(folder, others) {
  const names = await readdir(folder).catch(() => []);
  const own = names.filter((name) => !others.includes(name));
  await Promise.all(own.map((name) => rm(path.join(folder, name), { recursive: true })));
}
