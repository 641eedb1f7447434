import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

/**
 * Files of packages that are served or read as they are. Copied, so that the packages are needed at build time only: the
 * fonts have 6 MB of weights that no PDF uses, and the package of the API reference brings 15 others.
 */
const FILES = {
  // The only published form of Scalar's browser bundle without 250 MB of dependencies.
  '@scalar/fastify-api-reference': { 'dist/js/standalone.js': 'reference.js' },
  '@expo-google-fonts/source-sans-3': fonts('SourceSans3', [
    '400Regular',
    '400Regular_Italic',
    '600SemiBold',
    '700Bold',
    '700Bold_Italic',
  ]),
  '@expo-google-fonts/source-code-pro': fonts('SourceCodePro', [
    '400Regular',
    '400Regular_Italic',
    '700Bold',
  ]),
  '@expo-google-fonts/stix-two-math': fonts('STIXTwoMath', ['400Regular']),
};

function fonts(name, styles) {
  return Object.fromEntries(
    styles.map((style) => [`${style}/${name}_${style}.ttf`, `fonts/${name}_${style}.ttf`]),
  );
}

/** `src/platform/assets.ts` finds them. */
export async function buildAssets(folder) {
  await rm(folder, { recursive: true, force: true });
  await mkdir(path.join(folder, 'fonts'), { recursive: true });
  const licences = [];
  for (const [name, files] of Object.entries(FILES)) {
    const source = path.join('node_modules', name);
    for (const [from, to] of Object.entries(files)) await cp(path.join(source, from), path.join(folder, to));
    licences.push(`${name}\n\n${await licenceOf(source)}`);
  }
  await writeFile(path.join(folder, 'LICENCES.txt'), licences.join('\n\n---\n\n'));
}

/** Packages of fonts have one for their code, too. */
async function licenceOf(folder) {
  const read = (name) => readFile(path.join(folder, name), 'utf8');
  return read('LICENSE_FONT').catch(() => read('LICENSE'));
}
