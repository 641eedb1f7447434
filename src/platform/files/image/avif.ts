import type { Dimensions } from './dimensions.ts';

const MAX_BOXES = 1000;

interface Box {
  readonly type: string;
  /** Bounds of its content. */
  readonly start: number;
  readonly end: number;
}

/** Reads the properties of the primary item (ISO/IEC 23008-12): its size and rotation. */
export function avifDimensions(data: DataView): Dimensions | undefined {
  const meta = child(data, { type: '', start: 0, end: data.byteLength }, 'meta', 4);
  const primary = meta && child(data, meta, 'pitm', 4);
  const properties = meta && child(data, meta, 'iprp');
  const container = properties && child(data, properties, 'ipco');
  const associations = properties && child(data, properties, 'ipma');
  if (!primary || !container || !associations) return undefined;
  const isShort = data.getUint8(primary.start - 4) === 0;
  const item = isShort ? data.getUint16(primary.start) : data.getUint32(primary.start);
  const all = [...boxesIn(data, container)];
  const own = propertiesOf(data, associations, item).map((index) => all[index - 1]);
  const size = own.find((box) => box?.type === 'ispe');
  if (!size) return undefined;
  const [width, height] = [data.getUint32(size.start + 4), data.getUint32(size.start + 8)];
  const turn = own.find((box) => box?.type === 'irot');
  const isSideways = turn !== undefined && (data.getUint8(turn.start) & 1) === 1;
  return isSideways ? { width: height, height: width } : { width, height };
}

/** `skip`: version and flags that some boxes have before their content. */
function child(data: DataView, parent: Box, type: string, skip = 0): Box | undefined {
  for (const box of boxesIn(data, parent)) {
    if (box.type === type) return { ...box, start: box.start + skip };
  }
  return undefined;
}

function* boxesIn(data: DataView, parent: Box): Generator<Box> {
  let at = parent.start;
  for (let count = 0; count < MAX_BOXES && at + 8 <= parent.end; count++) {
    const length = data.getUint32(at);
    // 0 is "to the end", 1 a longer length: neither occurs before the media data.
    if (length < 8) return;
    const type = String.fromCharCode(...[4, 5, 6, 7].map((offset) => data.getUint8(at + offset)));
    yield { type, start: at + 8, end: Math.min(at + length, parent.end) };
    at += length;
  }
}

function propertiesOf(data: DataView, box: Box, item: number): number[] {
  const [version, isWide] = [data.getUint8(box.start), (data.getUint8(box.start + 3) & 1) === 1];
  const entries = Math.min(data.getUint32(box.start + 4), MAX_BOXES);
  let at = box.start + 8;
  for (let entry = 0; entry < entries && at < box.end; entry++) {
    const id = version < 1 ? data.getUint16(at) : data.getUint32(at);
    at += version < 1 ? 2 : 4;
    const count = data.getUint8(at);
    const width = isWide ? 2 : 1;
    const indexAt = (offset: number) =>
      isWide ? data.getUint16(offset) & 0x7fff : data.getUint8(offset) & 0x7f;
    if (id === item) return Array.from({ length: count }, (_, index) => indexAt(at + 1 + index * width));
    at += 1 + count * width;
  }
  return [];
}
