import { policyText, type ContentSecurityPolicy } from '../api/content-security-policy.ts';
import { safeName } from './name.ts';

/** Types that browsers show and never execute. All others are downloads, whatever they claim to be. */
const INLINE: ReadonlySet<string> = new Set([
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/avif',
  'image/heic',
  'image/bmp',
  'image/tiff',
  'image/x-icon',
  'video/mp4',
  'video/webm',
  'video/quicktime',
  'video/x-matroska',
  'audio/mpeg',
  'audio/mp4',
  'audio/wav',
  'audio/flac',
  'audio/ogg',
  'text/plain',
]);

/** Pages that may load from this origin would execute such a file as a script or style sheet, even as an attachment. */
const HARMFUL_AS_SUBRESOURCE =
  /^(text|application)\/((x-)?(java|ecma|live|j)script(1\.\d)?|css|manifest\+json|wasm)$/;

const DOWNLOAD_POLICY = { sandbox: [], 'default-src': ["'none'"] } as const satisfies ContentSecurityPolicy;

/** Browsers display an image in a page of their own, with inline styles. */
const IMAGE_POLICY: ContentSecurityPolicy = {
  ...DOWNLOAD_POLICY,
  'img-src': ["'self'"],
  'style-src': ["'unsafe-inline'"],
};

/** The browser's page for a video or sound requests the file again, which it may do from the same origin only. */
const MEDIA_POLICY: ContentSecurityPolicy = {
  ...DOWNLOAD_POLICY,
  sandbox: ['allow-same-origin'],
  'media-src': ["'self'"],
  'style-src': ["'unsafe-inline'"],
};

/** Headers that make uploaded content harmless, even on the origin of the API. */
export function headersFor(contentType: string, name: string): Record<string, string> {
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const isInline = INLINE.has(type);
  return {
    'content-type': withCharset(HARMFUL_AS_SUBRESOURCE.test(type) ? 'text/plain' : type),
    'content-disposition': disposition(isInline ? 'inline' : 'attachment', name),
    'content-security-policy': policyText(isInline ? policyOf(type) : DOWNLOAD_POLICY),
    'x-content-type-options': 'nosniff',
  };
}

function policyOf(type: string): ContentSecurityPolicy {
  return /^(video|audio)\//.test(type) ? MEDIA_POLICY : IMAGE_POLICY;
}

function withCharset(type: string): string {
  if (!/^[a-z0-9.+-]+\/[a-z0-9.+-]+$/.test(type)) return 'application/octet-stream';
  return type.startsWith('text/') ? `${type}; charset=utf-8` : type;
}

/** The name in ASCII for old clients, and in UTF-8 (RFC 6266). */
function disposition(kind: 'inline' | 'attachment', name: string): string {
  const safe = safeName(name);
  const ascii = safe.replaceAll(/[^\u0020-\u007e]|["\\%]/g, '_');
  const full = encodeURIComponent(safe).replaceAll(
    /['()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${kind}; filename="${ascii}"; filename*=UTF-8''${full}`;
}
