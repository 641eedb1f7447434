import type { DocumentPage } from '../src/content-engine/tree/index.ts';

/** A page at the root, named by its id. */
export const pageRecord = (id: string, over: Partial<DocumentPage> = {}): DocumentPage => ({
  id,
  kind: 'page',
  type: 'document',
  title: id,
  slug: id,
  position: `a${id}`,
  document: `hash-${id}`,
  ...over,
});
