import {
  documentOf,
  evaluateDocument,
  visitOf,
  type Body,
  type Evaluated,
} from '../../content-engine/evaluation/index.ts';
import { movedHrefs, resolverOf, respelled } from '../../content-engine/links/index.ts';
import type { Load } from '../../content-engine/map/index.ts';
import {
  editMarkdown,
  hrefsOf,
  parseDocument,
  rewriteHrefs,
  type JSONDocument,
} from '../../content-engine/markdown/index.ts';
import {
  isId,
  type ContentRef,
  type DocumentPage,
  type LinkTable,
  type ReusableContentRecord,
  type Tree,
} from '../../content-engine/tree/index.ts';
import { readInline, readText } from './objects.ts';

export type { Evaluated } from '../../content-engine/evaluation/index.ts';
type WithBody = DocumentPage | ReusableContentRecord;

export async function readBody(load: Load, { document, links }: WithBody): Promise<Body> {
  return {
    text: await readText(load, document),
    links: links === undefined ? {} : await readInline<LinkTable>(load, links),
  };
}

/** The body as Markdown: as it was written, but that links lead where they led. */
export async function readMarkdown(
  load: Load,
  tree: Tree,
  record: WithBody,
  evaluated: Evaluated = 'false',
): Promise<string> {
  const body = await readBody(load, record);
  const text = withCurrentLinks(tree, record.id, body);
  if (evaluated === 'false') return text;
  const resolve = resolverOf(tree, record.id, body.links);
  const document = evaluateDocument(parseDocument(text, { resolve }), visitOf(tree, record, evaluated));
  return editMarkdown(text, document, { resolve, hrefOf });
}

export function withCurrentLinks(tree: Tree, id: string, { text, links }: Body): string {
  const moved = movedHrefs(tree, id, links);
  return moved.size === 0 ? text : rewriteHrefs(text, respelled(hrefsOf(text), moved));
}

/** The body as document JSON, its links as references. */
export async function readDocument(
  load: Load,
  tree: Tree,
  record: WithBody,
  evaluated: Evaluated = 'false',
): Promise<JSONDocument> {
  return documentOf(tree, record, await readBody(load, record), evaluated);
}

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
