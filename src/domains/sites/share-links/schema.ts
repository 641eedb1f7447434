import Type from 'typebox';
import { line, named, Timestamp } from '../../../platform/api/schema.ts';
import { published } from '../schema.ts';

export const ShareLink = named('ShareLink', {
  object: Type.Literal('share-link'),
  id: Type.String(),
  createdAt: Timestamp,
  name: Type.String(),
  active: Type.Boolean(),
  urls: published,
});

export const NewShareLink = Type.Object({ name: line(0, 50) });
export const ShareLinkPatch = Type.Object({
  active: Type.Optional(Type.Boolean({ description: '`false` closes the link at once' })),
  name: Type.Optional(line(0, 50)),
});
