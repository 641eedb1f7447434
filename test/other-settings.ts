const themed = { light: '#112233', dark: '#ddeeff' };
const picture = { light: 'https://a.example/l.png', dark: 'https://a.example/d.png' };
const font = {
  id: 'own',
  custom: true,
  fontFamily: 'Own',
  fontFaces: [{ weight: 400, sources: [{ url: 'https://a.example/own.woff2' }] }],
};
const url = { kind: 'url', url: 'https://a.example/' };

/** Another value than the default for every member. */
export const OTHER_SETTINGS: Record<string, Record<string, unknown>> = {
  styling: {
    theme: 'bold',
    primaryColor: themed,
    tint: { color: themed },
    infoColor: themed,
    successColor: themed,
    warningColor: themed,
    dangerColor: themed,
    corners: 'straight',
    depth: 'flat',
    links: 'accent',
    font,
    monospaceFont: 'FiraCode',
    background: 'match',
    icons: 'solid',
    codeTheme: {
      default: { light: 'github-light', dark: 'nord' },
      openapi: { light: 'min-light', dark: 'dracula' },
    },
    search: 'subtle',
    sidebar: { background: 'filled' },
  },
  internationalization: { locale: 'de' },
  header: {
    preset: 'custom',
    logo: picture,
    backgroundColor: themed,
    linkColor: themed,
    links: [{ title: 'A', to: url, links: [{ title: 'B', to: url }], condition: 'true' }],
  },
  footer: { logo: picture, groups: [{ title: 'G', links: [] }], copyright: 'Us' },
  themes: { default: 'dark', toggeable: false, system: false },
  pdf: { enabled: false },
  feedback: { enabled: false },
  ai: { mode: 'search' },
  advancedCustomization: { enabled: false },
  git: { showEditLink: false },
  pageActions: { externalAI: false, markdown: false, mcp: false, items: ['pdf', 'assistant'] },
  externalLinks: { target: 'blank' },
  pagination: { enabled: false },
  trademark: { enabled: false },
  privacyPolicy: { url: 'https://a.example/privacy' },
  socialPreview: { url: 'https://a.example/card.png' },
  insights: { trackingCookie: true },
};
