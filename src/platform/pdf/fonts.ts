import { readdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { assetFile } from '../assets.ts';

/** The fonts of a document: the bundled ones, and system fonts for scripts that those lack. */

/**
 * The fonts of documents, which come with the program: Latin, Greek and Cyrillic (SIL Open Font License); `build-assets.js`
 * copies them. This is the only place that names their families: markup reads the families from its inputs.
 */
const FONTS = {
  text: {
    family: 'Source Sans 3',
    files: [
      'SourceSans3_400Regular.ttf',
      'SourceSans3_400Regular_Italic.ttf',
      'SourceSans3_600SemiBold.ttf',
      'SourceSans3_700Bold.ttf',
      'SourceSans3_700Bold_Italic.ttf',
    ],
  },
  code: {
    family: 'Source Code Pro',
    files: [
      'SourceCodePro_400Regular.ttf',
      'SourceCodePro_400Regular_Italic.ttf',
      'SourceCodePro_700Bold.ttf',
    ],
  },
  math: {
    family: 'STIX Two Math',
    files: ['STIXTwoMath_400Regular.ttf'],
  },
};

/** Installed families that are asked first for letters that the fonts above lack; any other comes after these. */
const FALLBACK_FAMILIES = ['Noto Sans CJK SC', 'Noto Color Emoji', 'DejaVu Sans'];

export const BUNDLED_FONTS = Object.values(FONTS)
  .flatMap(({ files }) => files)
  .map((file) => assetFile(`fonts/${file}`));

export const TEXT_FAMILY = FONTS.text.family;

/** The file of the text font. */
export const fontFile = (weight: 'regular' | 'semibold'): string =>
  assetFile(`fonts/${FONTS.text.files[weight === 'regular' ? 0 : 2] ?? ''}`);

/** The families as `sys.inputs` of markup; fallbacks are separated by line feeds. */
export const FONT_INPUTS: readonly (readonly [name: string, value: string])[] = [
  ['text-font', FONTS.text.family],
  ['code-font', FONTS.code.family],
  ['math-font', FONTS.math.family],
  ['fallback-fonts', FALLBACK_FAMILIES.join('\n')],
];

const FOLDERS = [
  '/usr/share/fonts',
  '/usr/local/share/fonts',
  path.join(homedir(), '.local/share/fonts'),
  path.join(homedir(), '.fonts'),
  '/System/Library/Fonts',
  '/Library/Fonts',
  'C:\\Windows\\Fonts',
];

/** One font of each list is used, if installed, because loading a font is slow. In order of preference. */
const CJK = [
  /^NotoSansCJK-(Regular|Bold)\.ttc$/,
  /^NotoSansCJK(sc|jp|kr|tc)-(Regular|Bold)\.otf$/,
  /^SourceHanSans.*-(Regular|Bold)\.(otf|ttc)$/,
  /^(wqy-.*|PingFang|msyh|ipag|fonts-japanese-gothic|NanumGothic)\.tt[cf]$/,
  /^DroidSansFallback.*\.ttf$/,
];
const EMOJI = [
  /^NotoColorEmoji\.ttf$/,
  /^(Apple Color Emoji|seguiemj|TwitterColorEmoji.*)\.tt[cf]$/,
  /^(NotoEmoji.*|Symbola)\.[ot]tf$/,
];
const ANY = [/^DejaVuSans(-Bold)?\.ttf$/, /^FreeSans(Bold)?\.[ot]tf$/, /^(Arial Unicode|seguisym)\.ttf$/];
const SCRIPTS =
  'Arabic Hebrew Thai Devanagari Bengali Tamil Telugu Kannada Malayalam Gujarati Gurmukhi Khmer Lao Myanmar Ethiopic ' +
  'Armenian Georgian Sinhala Tibetan';

/** Characters that the bundled fonts lack, and the fonts that may have them. */
const FALLBACK_FONTS: readonly (readonly [RegExp, readonly RegExp[]])[] = [
  [/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Bopomofo}\u3000-\u303f\uff00-\uffef]/u, CJK],
  [/\p{Emoji_Presentation}|\ufe0f/u, EMOJI],
  ...SCRIPTS.split(' ').map(
    (script) =>
      [
        new RegExp(`\\p{sc=${script}}`, 'u'),
        [new RegExp(`^Noto\\w*${script}-(Regular|Bold)\\.[ot]tf$`), new RegExp(`^Lohit-${script}\\.ttf$`)],
      ] as const,
  ),
  [/[^\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\p{Cc} -\u024f\u2000-\u206f\u20a0-\u20bf]/u, ANY],
];

/** Files of the system fonts that a text needs beyond the bundled ones. Without them the text still compiles. */
export async function systemFontsFor(text: string): Promise<string[]> {
  const needed = FALLBACK_FONTS.filter(([characters]) => characters.test(text));
  if (needed.length === 0) return [];
  const installed = await installedFonts();
  return [...new Set(needed.flatMap(([, fonts]) => firstInstalled(installed, fonts)))];
}

/** Scripts of which the general fonts (`ANY`) have the letters. */
const IN_GENERAL_FONTS = ['Arabic', 'Hebrew', 'Armenian', 'Georgian', 'Lao'];
const LISTED_SCRIPTS = ['Latin', 'Greek', 'Cyrillic', 'Han', 'Hiragana', 'Katakana', 'Hangul', 'Bopomofo']
  .concat(SCRIPTS.split(' '))
  .map((script) => `\\p{sc=${script}}`)
  .join('');
const LETTER_OF_OTHER_SCRIPT = new RegExp(
  `(?![${LISTED_SCRIPTS}\\p{sc=Common}\\p{sc=Inherited}])\\p{L}`,
  'u',
);

/** Whether the letters of a text have a font, as far as the names of installed fonts tell. */
export async function hasFontsFor(text: string): Promise<boolean> {
  if (LETTER_OF_OTHER_SCRIPT.test(text)) return false;
  const needed = FALLBACK_FONTS.filter(([characters]) => characters.test(text));
  if (needed.length === 0) return true;
  const installed = await installedFonts();
  const isGeneral = (characters: RegExp) =>
    IN_GENERAL_FONTS.some((script) => characters.source === `\\p{sc=${script}}`);
  return needed.every(
    ([characters, fonts]) =>
      firstInstalled(installed, fonts).length > 0 ||
      (isGeneral(characters) && firstInstalled(installed, ANY).length > 0),
  );
}

function firstInstalled(installed: readonly string[], fonts: readonly RegExp[]): string[] {
  for (const font of fonts) {
    const found = installed.filter((file) => font.test(path.basename(file)));
    if (found.length > 0) return found;
  }
  return [];
}

async function installedFonts(): Promise<string[]> {
  const folders = FOLDERS.map(async (folder) => {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
    return entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
  });
  return (await Promise.all(folders)).flat().toSorted();
}
