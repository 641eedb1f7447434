import Type from 'typebox';
import { named } from '../../../platform/api/schema.ts';

/** A web address: nothing that a browser would run. */
export const url = (description?: string) =>
  Type.String({
    format: 'uri',
    maxLength: 2048,
    pattern: '^[Hh][Tt][Tt][Pp][Ss]?://[^\\s/?#]',
    ...(description ? { description } : {}),
  });

/** Its host is part of a policy (`Content-Security-Policy`). */
const fontUrl = Type.String({
  format: 'uri',
  maxLength: 2048,
  pattern: '^[Hh][Tt][Tt][Pp][Ss]?://[A-Za-z0-9.-]+(:[0-9]{1,5})?(/|$)',
});

const Color = Type.String({
  pattern: '^#(?:[0-9a-fA-F]{3}){1,2}$',
  description: 'Hexadecimal colour',
  examples: ['#3650C4'],
});

export const ThemedColor = named('CustomizationThemedColor', { light: Color, dark: Color });
export const ThemedUrl = named('CustomizationThemedURL', { light: url(), dark: url() });

/** The name is part of a style sheet. */
const FontFamily = Type.String({
  minLength: 1,
  maxLength: 50,
  pattern: '^[\\p{L}\\p{N}][\\p{L}\\p{N} _-]*$',
});

const FontDefinition = named('CustomizationFontDefinition', {
  id: Type.String({ minLength: 1, maxLength: 64, pattern: '^[A-Za-z0-9_-]+$' }),
  custom: Type.Boolean(),
  fontFamily: FontFamily,
  fontFaces: Type.Array(
    Type.Object({
      weight: Type.Integer({ minimum: 1, maximum: 1000 }),
      sources: Type.Array(
        Type.Object({ url: fontUrl, format: Type.Optional(Type.Enum(['woff2', 'woff'])) }),
        {
          minItems: 1,
          maxItems: 4,
        },
      ),
    }),
    { minItems: 1, maxItems: 18 },
  ),
});

const FONTS = [
  'ABCFavorit',
  'Inter',
  'Roboto',
  'RobotoSlab',
  'OpenSans',
  'SourceSansPro',
  'Lato',
  'Ubuntu',
  'Raleway',
  'Merriweather',
  'Overpass',
  'NotoSans',
  'IBMPlexSerif',
  'Poppins',
  'FiraSans',
] as const;

const MONOSPACE_FONTS = [
  'FiraCode',
  'IBMPlexMono',
  'JetBrainsMono',
  'SourceCodePro',
  'RobotoMono',
  'SpaceMono',
  'DMMono',
  'Inconsolata',
] as const;

/** Themes of highlighted code, as the public API names them. */
const CODE_THEMES = [
  'default-light',
  'default-dark',
  'monochrome-light',
  'monochrome-dark',
  'andromeeda',
  'aurora-x',
  'ayu-dark',
  'catppuccin-frappe',
  'catppuccin-latte',
  'catppuccin-macchiato',
  'catppuccin-mocha',
  'dark-plus',
  'dracula',
  'dracula-soft',
  'everforest-dark',
  'everforest-light',
  'github-dark',
  'github-dark-default',
  'github-dark-dimmed',
  'github-dark-high-contrast',
  'github-light',
  'github-light-default',
  'github-light-high-contrast',
  'gruvbox-dark-hard',
  'gruvbox-dark-medium',
  'gruvbox-dark-soft',
  'gruvbox-light-hard',
  'gruvbox-light-medium',
  'gruvbox-light-soft',
  'houston',
  'kanagawa-dragon',
  'kanagawa-lotus',
  'kanagawa-wave',
  'laserwave',
  'light-plus',
  'material-theme',
  'material-theme-darker',
  'material-theme-lighter',
  'material-theme-ocean',
  'material-theme-palenight',
  'min-dark',
  'min-light',
  'monokai',
  'night-owl',
  'nord',
  'one-dark-pro',
  'one-light',
  'plastic',
  'poimandres',
  'red',
  'rose-pine',
  'rose-pine-dawn',
  'rose-pine-moon',
  'slack-dark',
  'slack-ochin',
  'snazzy-light',
  'solarized-dark',
  'solarized-light',
  'synthwave-84',
  'tokyo-night',
  'vesper',
  'vitesse-black',
  'vitesse-dark',
  'vitesse-light',
] as const;

const ThemedCodeTheme = named('CustomizationThemedCodeTheme', {
  light: Type.Enum([...CODE_THEMES]),
  dark: Type.Enum([...CODE_THEMES]),
});

/** The groups `styling` and `styling.sidebar`. */
export const sidebar = {
  background: Type.Enum(['default', 'filled']),
  list: Type.Enum(['default', 'pill', 'line']),
};

export const styling = {
  theme: Type.Enum(['clean', 'muted', 'bold', 'gradient']),
  primaryColor: ThemedColor,
  tint: Type.Optional(Type.Object({ color: ThemedColor })),
  infoColor: ThemedColor,
  successColor: ThemedColor,
  warningColor: ThemedColor,
  dangerColor: ThemedColor,
  corners: Type.Enum(['straight', 'rounded', 'circular']),
  depth: Type.Enum(['subtle', 'flat']),
  links: Type.Enum(['default', 'accent']),
  font: Type.Union([Type.Enum([...FONTS]), FontDefinition]),
  monospaceFont: Type.Union([Type.Enum([...MONOSPACE_FONTS]), FontDefinition]),
  background: Type.Enum(['plain', 'match']),
  icons: Type.Enum(['regular', 'solid', 'duotone', 'light', 'thin']),
  codeTheme: Type.Object(
    { default: ThemedCodeTheme, openapi: ThemedCodeTheme },
    { description: 'Stored for programs that render sites' },
  ),
  search: Type.Enum(['prominent', 'subtle']),
};
