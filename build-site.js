import { createHash } from 'node:crypto';
import { access, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { transform } from 'lightningcss';
import { build } from 'rolldown';
import { buildMath } from './build-math.js';

/**
 * Prepares what pages of sites load: one style sheet, scripts, fonts and icons, each named by its hash and compressed once.
 * `src/site/assets/catalog.ts` reads the result. The packages are needed at build time only.
 */

const { resolve } = createRequire(import.meta.url);
const MATH_FONT = '@expo-google-fonts/stix-two-math';
const STYLES = ['tokens', 'base', 'text', 'blocks', 'updates', 'chrome', 'finder', 'widths', 'media'];

/** Names of the customization → package, family, generic family. `ABCFavorit` is commercial. */
const TYPEFACES = {
  ABCFavorit: ['@fontsource-variable/inter', 'Inter Variable', 'sans-serif'],
  Inter: ['@fontsource-variable/inter', 'Inter Variable', 'sans-serif'],
  Roboto: ['@fontsource-variable/roboto', 'Roboto Variable', 'sans-serif'],
  RobotoSlab: ['@fontsource-variable/roboto-slab', 'Roboto Slab Variable', 'serif'],
  OpenSans: ['@fontsource-variable/open-sans', 'Open Sans Variable', 'sans-serif'],
  SourceSansPro: ['@fontsource-variable/source-sans-3', 'Source Sans 3 Variable', 'sans-serif'],
  Lato: ['@fontsource/lato', 'Lato', 'sans-serif'],
  Ubuntu: ['@fontsource/ubuntu', 'Ubuntu', 'sans-serif'],
  Raleway: ['@fontsource-variable/raleway', 'Raleway Variable', 'sans-serif'],
  Merriweather: ['@fontsource-variable/merriweather', 'Merriweather Variable', 'serif'],
  Overpass: ['@fontsource-variable/overpass', 'Overpass Variable', 'sans-serif'],
  NotoSans: ['@fontsource-variable/noto-sans', 'Noto Sans Variable', 'sans-serif'],
  IBMPlexSerif: ['@fontsource/ibm-plex-serif', 'IBM Plex Serif', 'serif'],
  Poppins: ['@fontsource/poppins', 'Poppins', 'sans-serif'],
  FiraSans: ['@fontsource/fira-sans', 'Fira Sans', 'sans-serif'],
  FiraCode: ['@fontsource-variable/fira-code', 'Fira Code Variable', 'monospace'],
  IBMPlexMono: ['@fontsource/ibm-plex-mono', 'IBM Plex Mono', 'monospace'],
  JetBrainsMono: ['@fontsource-variable/jetbrains-mono', 'JetBrains Mono Variable', 'monospace'],
  SourceCodePro: ['@fontsource-variable/source-code-pro', 'Source Code Pro Variable', 'monospace'],
  RobotoMono: ['@fontsource-variable/roboto-mono', 'Roboto Mono Variable', 'monospace'],
  SpaceMono: ['@fontsource/space-mono', 'Space Mono', 'monospace'],
  DMMono: ['@fontsource/dm-mono', 'DM Mono', 'monospace'],
  Inconsolata: ['@fontsource-variable/inconsolata', 'Inconsolata Variable', 'monospace'],
};

/** Scripts of the languages that the interface is translated to, and Greek, which formulas quote. */
const SUBSETS = ['latin', 'latin-ext', 'cyrillic', 'greek'];

export async function buildSite(folder) {
  await rm(folder, { recursive: true, force: true });
  await mkdir(path.join(folder, 'assets'), { recursive: true });
  const files = {};

  const add = async (name, bytes, type) => {
    const extension = path.extname(name);
    const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 10);
    const hashed = `${path.basename(name, extension)}.${hash}${extension}`;
    const isCompressed = extension !== '.woff2';
    files[hashed] = { type, isCompressed };
    const target = path.join(folder, 'assets', hashed);
    await writeFile(target, bytes);
    if (isCompressed) {
      // The best quality takes seconds for a megabyte, and every `npm start` builds.
      const params = { [constants.BROTLI_PARAM_QUALITY]: bytes.length > 100_000 ? 9 : 11 };
      await writeFile(`${target}.br`, brotliCompressSync(bytes, { params }));
      await writeFile(`${target}.gz`, gzipSync(bytes, { level: 9 }));
    }
    return hashed;
  };

  const script = 'text/javascript; charset=utf-8';
  const style = 'text/css; charset=utf-8';
  const math = await buildMath(resolve(`${MATH_FONT}/400Regular/STIXTwoMath_400Regular.ttf`), add);
  const names = {
    'reader.css': await add('reader.css', await styleSheet(STYLES), style),
    'math.css': await add('math.css', await styleSheet(['math'], math.css), style),
    'api.css': await add('api.css', await styleSheet(['api']), style),
    'reader.js': await add('reader.js', await clientScript('reader'), script),
    'try-it.js': await add('try-it.js', await clientScript('try-it'), script),
    'diagram.js': await add('diagram.js', await clientScript('diagram'), script),
    'mermaid.js': await add(
      'mermaid.js',
      await readFile(resolve('@mermaid-js/tiny/dist/mermaid.tiny.js')),
      script,
    ),
  };
  const typefaces = {};
  for (const [name, [source, family, generic]] of Object.entries(TYPEFACES))
    typefaces[name] = { family, generic, faces: await facesOf(source, generic, add) };
  const earlyScript = String(await clientScript('early')).trim();
  await copyLicences(folder);
  await writeFile(path.join(folder, 'icons.json'), JSON.stringify(await iconSets()));
  await writeFile(
    path.join(folder, 'manifest.json'),
    JSON.stringify({ names, earlyScript, typefaces, mathFaces: math.faces, files }),
  );
}

async function styleSheet(names, before = '') {
  const parts = await Promise.all(names.map((name) => readFile(`src/site/style/${name}.css`, 'utf8')));
  const code = Buffer.from([before, ...parts].join('\n'));
  return transform({ filename: `${names[0]}.css`, code, minify: true }).code;
}

async function clientScript(name) {
  const { output } = await build({
    input: `src/site/client/${name}.ts`,
    platform: 'browser',
    tsconfig: false,
    output: { format: 'iife', minify: true },
    write: false,
  });
  return Buffer.from(output[0].code);
}

/**
 * The faces of a typeface that pages use: a variable font, or regular and bold. Only serifs have an italic of their own: the
 * browser slants the others well, and a face that is not preloaded would be missing on the first page.
 */
const exists = (file) =>
  access(file).then(
    () => true,
    () => false,
  );

async function facesOf(source, generic, add) {
  const folder = path.dirname(resolve(`${source}/package.json`));
  const sheets = source.startsWith('@fontsource-variable/')
    ? ['wght.css', ...(generic === 'serif' ? ['wght-italic.css'] : [])]
    : ['400.css', (await exists(path.join(folder, '600.css'))) ? '600.css' : '700.css'];
  const faces = [];
  for (const sheet of sheets) {
    const text = await readFile(path.join(folder, sheet), 'utf8').catch(() => '');
    for (const [, css] of text.matchAll(/@font-face \{(.*?)\}/gs)) {
      const file = /url\(\.\/files\/([^)]+\.woff2)\)/.exec(css)?.[1];
      const subset = SUBSETS.find((name) => new RegExp(`-${name}-(wght|\\d+)-`).test(file));
      if (!subset) continue;
      const value = (property) => new RegExp(`${property}: ([^;]+);`).exec(css)?.[1];
      faces.push({
        file: await add(file, await readFile(path.join(folder, 'files', file)), 'font/woff2'),
        weight: value('font-weight'),
        style: value('font-style'),
        range: value('unicode-range'),
        subset,
      });
    }
  }
  return faces;
}

/** The licences of fonts and icons ask to be passed on with the files. */
async function copyLicences(folder) {
  const packages = new Set([...Object.values(TYPEFACES).map(([source]) => source), '@mermaid-js/tiny']);
  const texts = ['Icons: Font Awesome Free, https://fontawesome.com, CC BY 4.0.'];
  const files = [...packages].map((source) => [source, 'LICENSE']);
  for (const [source, name] of [...files, [MATH_FONT, 'LICENSE_FONT']]) {
    const file = path.join(path.dirname(resolve(`${source}/package.json`)), name);
    texts.push(`${source}\n\n${await readFile(file, 'utf8')}`);
  }
  await writeFile(path.join(folder, 'LICENCES.txt'), texts.join('\n\n---\n\n'));
}

async function iconSets() {
  const sets = {};
  for (const style of ['solid', 'regular', 'brands']) {
    const set = JSON.parse(await readFile(resolve(`@iconify-json/fa7-${style}/icons.json`), 'utf8'));
    sets[style] = Object.fromEntries(
      Object.entries(set.icons).map(([name, { body, width, height }]) => [
        name,
        [
          width ?? set.width,
          height ?? set.height,
          /^<path fill="currentColor" d="([^"]+)"\/>$/.exec(body)[1],
        ],
      ]),
    );
  }
  return sets;
}
