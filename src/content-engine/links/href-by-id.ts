import { isId, type ContentRef } from '../tree/index.ts';

/**
 * How a reference of a document that was sent to us is spelled in Markdown: by id, so that it never has to change. What is
 * no id was an address when it was read, and stays one.
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
