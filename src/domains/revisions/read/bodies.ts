import type { Body } from '../../../content-engine/evaluation/index.ts';
import type { Load } from '../../../content-engine/map/index.ts';
import {
  findPage,
  findReusableContent,
  type DocumentPage,
  type LinkTable,
  type ReusableContentRecord,
  type Tree,
} from '../../../content-engine/tree/index.ts';
import { readInline, readText } from '../storage/objects.ts';

export type WithBody = DocumentPage | ReusableContentRecord;

export function findWithBody(tree: Tree, id: string): WithBody | undefined {
  const page = findPage(tree, id);
  return page?.type === 'document' ? page : findReusableContent(tree, id);
}

export async function readBody(load: Load, { document, links }: WithBody): Promise<Body> {
  return {
    text: await readText(load, document),
    links: links === undefined ? {} : await readInline<LinkTable>(load, links),
  };
}
