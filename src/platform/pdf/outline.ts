import { textString, type Writer } from './writer.ts';

export interface OutlineEntry {
  readonly title: string;
  readonly level: number;
  /** As PDF writes it. */
  readonly destination: string;
}

interface Item extends OutlineEntry {
  readonly id: number;
  readonly children: Item[];
}

/** Writes the outline: each entry below the last one before it that has a lower level. The number of its root. */
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
      // Closed until a reader opens it.
      ...(item.children.length > 0 ? [`${ends(item.children)} /Count -${item.children.length}`] : []),
    ];
    writer.object(item.id, `<< ${parts.join(' ')} >>`);
    writeItems(item.children, item.id, writer);
  }
}

const ends = (items: readonly Item[]): string => `/First ${items[0]?.id} 0 R /Last ${items.at(-1)?.id} 0 R`;
