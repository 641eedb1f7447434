/** The customization of a site, as its pages need it. The settings are validated where they are stored. */
export interface Customization {
  readonly styling: Styling;
  readonly internationalization: { readonly locale: string };
  readonly favicon: Favicon;
  readonly header: {
    readonly preset: 'default' | 'bold' | 'contrast' | 'custom' | 'none';
    readonly logo?: ThemedValue | undefined;
    readonly backgroundColor?: ThemedValue | undefined;
    readonly linkColor?: ThemedValue | undefined;
  };
  readonly footer: { readonly logo?: ThemedValue | undefined; readonly copyright?: string | undefined };
  /** The spelling of the API. */
  readonly themes: { readonly default: 'light' | 'dark' | 'system'; readonly toggeable: boolean };
  readonly pdf: Switch;
  readonly feedback: Switch;
  readonly pagination: Switch;
  readonly trademark: Switch;
  readonly git: { readonly showEditLink: boolean };
  readonly pageActions: { readonly externalAI: boolean; readonly markdown: boolean; readonly mcp: boolean };
  readonly externalLinks: { readonly target: 'self' | 'blank' };
  readonly privacyPolicy: { readonly url?: string | undefined };
  readonly socialPreview: { readonly url?: string | undefined };
}

export interface Styling {
  readonly theme: 'clean' | 'muted' | 'bold' | 'gradient';
  readonly primaryColor: ThemedValue;
  readonly tint?: { readonly color: ThemedValue } | undefined;
  readonly infoColor: ThemedValue;
  readonly successColor: ThemedValue;
  readonly warningColor: ThemedValue;
  readonly dangerColor: ThemedValue;
  readonly corners: 'straight' | 'rounded' | 'circular';
  readonly depth: 'subtle' | 'flat';
  readonly links: 'default' | 'accent';
  readonly font: string | CustomFont;
  readonly monospaceFont: string | CustomFont;
  readonly background: 'plain' | 'match';
  readonly icons: IconStyle;
  readonly sidebar: {
    readonly background: 'default' | 'filled';
    readonly list: 'default' | 'pill' | 'line';
  };
  readonly search: 'prominent' | 'subtle';
}

export type IconStyle = 'regular' | 'solid' | 'duotone' | 'light' | 'thin';

/** A colour or an address for each theme. */
export interface ThemedValue {
  readonly light: string;
  readonly dark: string;
}

export interface CustomFont {
  readonly id: string;
  readonly fontFamily: string;
  readonly fontFaces: readonly {
    readonly weight: number;
    readonly sources: readonly { readonly url: string; readonly format?: string | undefined }[];
  }[];
}

/** Neither: the mark of Octavo in the primary colour. */
export interface Favicon {
  readonly icon?: ThemedValue | undefined;
  readonly emoji?: string | undefined;
}

interface Switch {
  readonly enabled: boolean;
}
