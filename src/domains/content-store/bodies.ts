import type { Body } from '../../content-engine/evaluation/index.ts';
import type { Load } from '../../content-engine/map/index.ts';
import {
  findPage,
  findReusableContent,
  type ContentRecord,
  type DocumentPage,
  type LinkTable,
  type ReusableContentRecord,
  type Tree,
} from '../../content-engine/tree/index.ts';
import { readInline, readText } from './objects.ts';

export type WithBody = DocumentPage | ReusableContentRecord;

export function findWithBody(tree: Tree, id: string): WithBody | undefined {
  const page = findPage(tree, id);
  return page?.type === 'document' ? page : findReusableContent(tree, id);
}

/** The record as messages name it. */
export const nameOf = (record: WithBody): string =>
  `${record.kind === 'page' ? 'Page' : 'Reusable content'} "${record.title}"`;

export async function readBody(load: Load, record: WithBody): Promise<Body> {
  return { text: await readText(load, record.document), links: await linkTableIn(load, record) };
}

/** The link table of a record; empty where it has no body. */
export async function linkTableIn(load: Load, record: ContentRecord): Promise<LinkTable> {
  const links = 'links' in record ? record.links : undefined;
  return links === undefined ? {} : readInline<LinkTable>(load, links);
}
