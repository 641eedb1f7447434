import type { InlineContent } from '../../../document/index.ts';
import { InlineBuilder } from './inline-builder.ts';
import { textOfItem, type Item } from './inline-items.ts';
import type { Reading } from '../reading.ts';

/** Assembles the nodes of the items that the scanner found. */
export function assembleInlines(reading: Reading, items: readonly Item[], key: string): InlineContent[] {
  const builder = new InlineBuilder(key);
  let linkDepth = 0;
  for (const item of items) {
    switch (item.kind) {
      case 'text':
        builder.text(item.text);
        break;
      case 'delimiter':
        for (const mark of item.detail.closes ?? []) builder.mark(mark, -1);
        builder.text(textOfItem(item));
        for (const mark of item.detail.opens ?? []) builder.mark(mark, 1);
        break;
      case 'open':
        builder.mark(item.text, 1);
        break;
      case 'close':
        builder.mark(item.text, -1);
        break;
      case 'color':
        builder.color(item.detail ?? undefined);
        break;
      case 'node':
        builder.inline(item.detail);
        break;
      case 'link':
        if (builder.openLink(item.detail)) linkDepth = 1;
        else if (linkDepth > 0) linkDepth++;
        break;
      case 'unlink':
        if (--linkDepth <= 0) builder.closeLink();
        break;
      case 'annotation':
        reading.annotate(builder, item.text);
        break;
      case 'nothing':
        break;
    }
  }
  return builder.finish();
}
