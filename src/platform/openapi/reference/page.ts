import { policyText } from '../../api/content-security-policy.ts';

/** The page may connect to this server only. Styles may be inline: the script creates them. */
export const CONTENT_SECURITY_POLICY = policyText({
  'default-src': ["'none'"],
  'script-src': ["'self'"],
  'style-src': ["'self'", "'unsafe-inline'"],
  'img-src': ["'self'", 'data:'],
  'font-src': ["'self'"],
  'connect-src': ["'self'"],
  'base-uri': ["'none'"],
  'form-action': ["'none'"],
  'frame-ancestors': ["'none'"],
});

export function referencePage(basePath: string, scriptPath: string, documentPath: string): string {
  const [script, document] = [basePath + scriptPath, basePath + documentPath];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Octavo API reference</title>
<link rel="icon" href="${escapeAttribute(ICON)}">
</head>
<body>
<noscript>The reference requires JavaScript. The OpenAPI document: <a href="${document}">${document}</a></noscript>
<script id="api-reference" type="application/json" data-configuration="${escapeAttribute(configuration(basePath, document))}"></script>
<script src="${script}"></script>
</body>
</html>
`;
}

/** Scalar's defaults load fonts, offer an assistant and link to a hosted client, all from other hosts. */
const configuration = (basePath: string, document: string): string =>
  JSON.stringify({
    url: document,
    // The origin of the visitor, which may differ from the URL in the document.
    servers: [{ url: basePath || '/' }],
    authentication: { preferredSecurityScheme: 'bearer' },
    withDefaultFonts: false,
    telemetry: false,
    agent: { disabled: true },
    mcp: { disabled: true },
    showDeveloperTools: 'never',
    hideClientButton: true,
    documentDownloadType: 'direct',
    defaultOpenAllTags: false,
    persistAuth: false,
  });

const ICON =
  'data:image/svg+xml,' +
  encodeURIComponent(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path d="M3 1h9a1 1 0 0 1 1 1v13H4a2 2 0 0 1-2-2V2a1 1 0 0 1 1-1z" fill="#3b5bdb"/><path d="M4 12h9v1H4z" fill="#fff"/></svg>',
  );

const escapeAttribute = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
