import type { ContentRef, ImageRef, RefOf } from '../refs.ts';
import { byMember, members, type MemberShapes, someText, text, type Shape } from './shape.ts';

const ref = <Kind extends ContentRef['kind']>(shapes: MemberShapes<Omit<RefOf<Kind>, 'kind'>>): Shape =>
  members(shapes);

/** The members of a reference of each kind. */
const KINDS: Readonly<Record<ContentRef['kind'], Shape>> = {
  url: ref<'url'>({ url: text }),
  page: ref<'page'>({ page: someText, 'space?': someText }),
  anchor: ref<'anchor'>({ anchor: someText, 'page?': someText, 'space?': someText }),
  file: ref<'file'>({ file: someText, 'space?': someText }),
  user: ref<'user'>({ user: someText }),
  collection: ref<'collection'>({ collection: someText }),
  space: ref<'space'>({ space: someText }),
  'reusable-content': ref<'reusable-content'>({ reusableContent: someText, 'space?': someText }),
  openapi: ref<'openapi'>({ spec: text }),
  tag: ref<'tag'>({ tag: someText, 'space?': someText }),
};

export const refOf = <Kind extends ContentRef['kind']>(...kinds: readonly Kind[]): Shape<RefOf<Kind>> =>
  byMember('kind', Object.fromEntries(kinds.map((kind) => [kind, KINDS[kind]])));

export const anyRef: Shape<ContentRef> = byMember('kind', KINDS);
export const imageRef: Shape<ImageRef> = refOf('file', 'url');
