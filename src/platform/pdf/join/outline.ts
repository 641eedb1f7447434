import { textString, type Writer } from './writer.ts';

export interface OutlineEntry {
  readonly title: string;
  readonly level: number;
  /** In PDF syntax. */
  readonly destination: string;
}

interface Item extends OutlineEntry {
  readonly id: number;
  readonly children: Item[];
}

/** Writes the outline and returns its root object: each entry is a child of the last preceding entry of a lower level. */
export function outlineObjects(entries: readonly OutlineEntry[], writer: Writer): number | undefined {
  if (entries.length === 0) return undefined;
  const root = writer.next();
  const top: Item[] = [];
  const open: Item[] = [];
  for (const entry of entries) {
    const item: Item = { ...entry, id: writer.next(), children: [] };
    while ((open.at(-1)?.level ?? 0) >= entry.level) open.pop();
    (open.at(-1)?.children ?? top).push(item);
    open.push(item);
  }
  writer.object(root, `<< /Type /Outlines ${ends(top)} /Count ${top.length} >>`);
  writeItems(top, root, writer);
  return root;
}

function writeItems(items: readonly Item[], parent: number, writer: Writer): void {
  for (const [index, item] of items.entries()) {
    const [before, after] = [items[index - 1], items[index + 1]];
    const parts = [
      `/Title ${textString(item.title)} /Parent ${parent} 0 R /Dest ${item.destination}`,
      ...(before ? [`/Prev ${before.id} 0 R`] : []),
      ...(after ? [`/Next ${after.id} 0 R`] : []),
      // A negative count: collapsed initially.
      ...(item.children.length > 0 ? [`${ends(item.children)} /Count -${item.children.length}`] : []),
    ];
    writer.object(item.id, `<< ${parts.join(' ')} >>`);
    writeItems(item.children, item.id, writer);
  }
}

const ends = (items: readonly Item[]): string => `/First ${items[0]?.id} 0 R /Last ${items.at(-1)?.id} 0 R`;
