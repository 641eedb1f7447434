import type { ContentRef, InlineContent, InlineNode, MarkType } from '../../document/nodes.ts';
import { InlineBuilder, type Color } from './inline-builder.ts';
import { restOf, type Item, type Run } from './inline-items.ts';
import type { Reading } from './reading.ts';

/** Drives the builder with what was found. */
export function build(reading: Reading, items: readonly Item[], key: string): InlineContent[] {
  const builder = new InlineBuilder(key);
  let linkDepth = 0;
  for (const one of items) {
    switch (one.kind) {
      case 'text':
        builder.text(one.text);
        break;
      case 'delimiter':
        for (const mark of (one.detail as Run).closes ?? []) builder.mark(mark, -1);
        builder.text(restOf(one));
        for (const mark of (one.detail as Run).opens ?? []) builder.mark(mark, 1);
        break;
      case 'open':
      case 'close':
        builder.mark(one.text as MarkType, one.kind === 'open' ? 1 : -1);
        break;
      case 'color':
        builder.color((one.detail as Color | null) ?? undefined);
        break;
      case 'node':
        builder.inline(one.detail as InlineNode);
        break;
      case 'link':
        if (builder.openLink(one.detail as ContentRef)) linkDepth = 1;
        else if (linkDepth > 0) linkDepth++;
        break;
      case 'unlink':
        if (--linkDepth <= 0) builder.closeLink();
        break;
      case 'annotation':
        reading.annotate(builder, one.text);
        break;
      default:
    }
  }
  return builder.finish();
}
