import { evaluateDocument, type Visit } from '../../content-engine/evaluation/index.ts';
import { resolverOf } from '../../content-engine/links/index.ts';
import type { Load } from '../../content-engine/map/index.ts';
import { parseDocument, type JSONDocument } from '../../content-engine/markdown/index.ts';
import {
  variablesOf,
  type DocumentPage,
  type LinkTable,
  type ReusableContentRecord,
  type Tree,
} from '../../content-engine/tree/index.ts';
import { readInline, readText } from './objects.ts';

export type Evaluated = 'true' | 'false' | 'deterministic-only';
export type WithBody = DocumentPage | ReusableContentRecord;

export interface Body {
  readonly text: string;
  readonly links: LinkTable;
}

export async function readBody(load: Load, { document, links }: WithBody): Promise<Body> {
  return {
    text: await readText(load, document),
    links: links === undefined ? {} : await readInline<LinkTable>(load, links),
  };
}

/** The body as document JSON, its links as references. */
export async function readDocument(
  load: Load,
  tree: Tree,
  record: WithBody,
  evaluated: Evaluated = 'false',
): Promise<JSONDocument> {
  const { text, links } = await readBody(load, record);
  const document = parseDocument(text, { resolve: resolverOf(tree, record.id, links) });
  return evaluated === 'false' ? document : evaluateDocument(document, visitOf(tree, record, evaluated));
}

/** Nobody in particular: what depends on who reads is decided as for a stranger. */
export const visitOf = (tree: Tree, record: WithBody, evaluated: Evaluated): Visit => ({
  scope: {
    space: { vars: variablesOf(tree) },
    page: { vars: (record.kind === 'page' ? record.variables : undefined) ?? {} },
    visitor: { claims: { unsigned: {} } },
  },
  deterministicOnly: evaluated === 'deterministic-only',
});
