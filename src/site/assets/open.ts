import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { IconStyle } from '../customization.ts';
import type { AssetCatalog, AssetFile, AssetName, NamedIcon, Typeface } from './catalog.ts';

/** Written by `build-site.js`. */
interface Manifest {
  readonly names: Readonly<Record<AssetName, string>>;
  readonly earlyScript: string;
  readonly typefaces: Readonly<Record<string, Typeface>>;
  /** Regular expressions as text. */
  readonly mathFaces: readonly { readonly file: string; readonly characters: string }[];
  /** Types of the files by name. No other file is served. */
  readonly files: Readonly<Record<string, { readonly type: string; readonly isCompressed: boolean }>>;
}

type IconSet = Readonly<Record<string, readonly [width: number, height: number, path: string]>>;

interface IconSets {
  readonly regular: IconSet;
  readonly solid: IconSet;
  readonly brands: IconSet;
}

/** `folder` is `dist/site`. Large files are read when they are first asked for. */
export function openAssets(folder: string): AssetCatalog {
  const manifest = readJson(folder, 'manifest.json') as Manifest;
  const files = new Map<string, AssetFile>();
  let icons: IconSets | undefined;
  return {
    nameOf: (name) => manifest.names[name],
    earlyScript: manifest.earlyScript,
    typeface: (name) => (Object.hasOwn(manifest.typefaces, name) ? manifest.typefaces[name] : undefined),
    mathFaces: manifest.mathFaces.map(({ file, characters }) => ({
      file,
      characters: new RegExp(characters, 'u'),
    })),
    icon: (name, style) => {
      icons ??= readJson(folder, 'icons.json') as IconSets;
      return findIcon(icons, name, style);
    },
    file: (name) => {
      const known = files.get(name);
      if (known || !Object.hasOwn(manifest.files, name)) return known;
      const { type, isCompressed } = manifest.files[name] as Manifest['files'][string];
      const read = (suffix: string) => readFileSync(path.join(folder, 'assets', name + suffix));
      const file: AssetFile = {
        name,
        type,
        bytes: read(''),
        ...(isCompressed && { brotli: read('.br'), gzip: read('.gz') }),
      };
      files.set(name, file);
      return file;
    },
  };
}

/** The styles that the free set lacks (light, thin, duotone) are drawn from the ones it has. */
function findIcon(sets: IconSets, name: string, style: IconStyle): NamedIcon | undefined {
  const order =
    style === 'solid' || style === 'duotone'
      ? [sets.solid, sets.regular, sets.brands]
      : [sets.regular, sets.solid, sets.brands];
  for (const candidate of [name, ...singulars(name)])
    for (const set of order)
      if (Object.hasOwn(set, candidate)) {
        const [width, height, path] = set[candidate] as IconSet[string];
        return { width, height, path };
      }
  return undefined;
}

/** `books` and `rocket-launch` are in the commercial set only; `book` and `rocket` are close to them. */
function singulars(name: string): string[] {
  const words = name.split('-');
  const shorter = words.slice(1).map((_word, index) => words.slice(0, -index - 1).join('-'));
  return [...(name.endsWith('s') ? [name.slice(0, -1)] : []), ...shorter];
}

const readJson = (folder: string, name: string): unknown =>
  JSON.parse(readFileSync(path.join(folder, name), 'utf8'));
