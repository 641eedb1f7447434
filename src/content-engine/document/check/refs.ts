import type { ContentRef } from '../nodes.ts';
import { byMember, members, someText, text, type Shape } from './shape.ts';

/** What a reference of each kind has (facts 1.2). */
const KINDS: Readonly<Record<ContentRef['kind'], Shape>> = {
  url: members({ url: text }),
  page: members({ page: someText, 'space?': someText }),
  anchor: members({ anchor: someText, 'page?': someText, 'space?': someText }),
  file: members({ file: someText, 'space?': someText }),
  user: members({ user: someText }),
  collection: members({ collection: someText }),
  space: members({ space: someText }),
  'reusable-content': members({ reusableContent: someText, 'space?': someText }),
  openapi: members({ spec: text }),
  tag: members({ tag: someText, 'space?': someText }),
};

export const refOf = (...kinds: readonly ContentRef['kind'][]): Shape =>
  byMember('kind', Object.fromEntries(kinds.map((kind) => [kind, KINDS[kind]])));

export const anyRef = byMember('kind', KINDS);
export const pictureRef = refOf('file', 'url');
