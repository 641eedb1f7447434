import { badRequest } from '../../platform/api/errors.ts';
import { dimensionsOf, typeOf } from '../../platform/files/index.ts';
import { MAX_ICON, MAX_PREVIEW } from './limits.ts';
import type { Publication } from './schema.ts';
import type { Image } from './store.ts';

/** Pictures that browsers show and never execute: SVG is none of them. */
const TYPES: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

/** The images of a publication, by their content. Throws 400 for what is none. */
export const readImages = ({ icon, previewImages = [] }: Publication): readonly Image[] => [
  ...(icon === undefined ? [] : [readImage('icon', 0, icon, 'body.icon', MAX_ICON)]),
  ...previewImages.map((text, position) =>
    readImage('preview', position, text, `body.previewImages.${position}`, MAX_PREVIEW),
  ),
];

function readImage(
  kind: Image['kind'],
  position: number,
  text: string,
  path: string,
  maxBytes: number,
): Image {
  const content = Buffer.from(text, 'base64');
  const contentType = typeOf(content, '');
  if (!isBase64(text) || content.length > maxBytes || !TYPES.has(contentType) || !dimensionsOf(content)) {
    const rule = `must be a PNG, JPEG, GIF or WebP in base64, of at most ${maxBytes / 1024} kB`;
    throw badRequest(`${path} ${rule}.`, [{ path, rule }]);
  }
  return { kind, position, content, contentType };
}

/** Node ignores characters that base64 does not have. */
const isBase64 = (text: string) => /^[A-Za-z0-9+/]*={0,2}$/.test(text) && text.length % 4 === 0;
