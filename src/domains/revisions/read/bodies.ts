import type { Body } from '../../../content-engine/evaluation/index.ts';
import type { Load } from '../../../content-engine/map/index.ts';
import type { DocumentPage, LinkTable, ReusableContentRecord } from '../../../content-engine/tree/index.ts';
import { readInline, readText } from '../storage/objects.ts';

export type WithBody = DocumentPage | ReusableContentRecord;

export async function readBody(load: Load, { document, links }: WithBody): Promise<Body> {
  return {
    text: await readText(load, document),
    links: links === undefined ? {} : await readInline<LinkTable>(load, links),
  };
}
