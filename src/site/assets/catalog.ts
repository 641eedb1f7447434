import type { IconStyle } from '../customization.ts';

/** Below the base path of every site. */
export const ASSET_PATH = '/~octavo/assets/';

/** A path of the free icon set. */
export interface NamedIcon {
  readonly width: number;
  readonly height: number;
  readonly path: string;
}

/** One file of a typeface: a range of characters in a style. */
export interface FontFace {
  readonly file: string;
  /** '400', or '100 900' for a variable font. */
  readonly weight: string;
  readonly style: 'normal' | 'italic';
  readonly range: string;
  readonly subset: 'latin' | 'latin-ext' | 'cyrillic' | 'greek';
}

export interface Typeface {
  readonly family: string;
  /** The generic family of its fallback. */
  readonly generic: 'sans-serif' | 'serif' | 'monospace';
  readonly faces: readonly FontFace[];
}

/** One file of the font of formulas. */
export interface MathFace {
  readonly file: string;
  /** The characters that it has. */
  readonly characters: RegExp;
}

/** A file that is served as it was built. Its name contains its hash, so that it never changes. */
export interface AssetFile {
  readonly name: string;
  readonly type: string;
  readonly bytes: Buffer;
  /** Compressed at build time; fonts are compressed already. */
  readonly brotli?: Buffer;
  readonly gzip?: Buffer;
}

/** The style sheet, scripts, fonts and icons of pages, which `npm run build` prepared. */
export interface AssetCatalog {
  /** The file name with its hash, of a name such as `reader.css`. */
  nameOf(name: AssetName): string;
  /** Runs before the page is painted, inline. */
  readonly earlyScript: string;
  icon(name: string, style: IconStyle): NamedIcon | undefined;
  /** The typeface by its name in the customization. */
  typeface(name: string): Typeface | undefined;
  /** The first has what every formula needs. */
  readonly mathFaces: readonly MathFace[];
  /** A file by its name; read once, then from memory. */
  file(name: string): AssetFile | undefined;
}

export type AssetName =
  | 'reader.css'
  | 'math.css'
  | 'api.css'
  | 'reader.js'
  | 'try-it.js'
  | 'diagram.js'
  | 'mermaid.js';
