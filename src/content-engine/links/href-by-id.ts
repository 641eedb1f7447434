import { isId, type ContentRef } from '../tree/index.ts';

/**
 * The href of a reference in a document that a client sent: by id, so that it never has to change. Undefined: the
 * reference has no id, and is written as its URL.
 */
export function hrefOf(ref: ContentRef): string | undefined {
  if ('space' in ref && ref.space !== undefined) return undefined;
  switch (ref.kind) {
    case 'page':
      return isId(ref.page) ? `/pages/${ref.page}` : undefined;
    case 'anchor':
      if (ref.page === undefined) return undefined;
      return isId(ref.page) ? `/pages/${ref.page}#${ref.anchor}` : undefined;
    case 'file':
      return isId(ref.file) ? `/files/${ref.file}` : undefined;
    case 'reusable-content':
      return isId(ref.reusableContent) ? `/reusable-content/${ref.reusableContent}` : undefined;
    default:
      return undefined;
  }
}
