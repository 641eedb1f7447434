import { resolverOf } from '../links/index.ts';
import type { JSONDocument } from '../document/index.ts';
import { parseDocument } from '../markdown/index.ts';
import {
  variablesOf,
  type DocumentPage,
  type LinkTable,
  type ReusableContentRecord,
  type Tree,
} from '../tree/index.ts';
import { evaluateDocument, type Visit } from './evaluate-document.ts';

export type Evaluated = 'true' | 'false' | 'deterministic-only';

/** The stored body of a page or reusable content; its record has the rest. */
export interface Body {
  readonly text: string;
  readonly links: LinkTable;
}

type WithBody = DocumentPage | ReusableContentRecord;

/** A body as document JSON, its links as references. */
export function documentOf(
  tree: Tree,
  record: WithBody,
  { text, links }: Body,
  evaluated: Evaluated = 'false',
): JSONDocument {
  const document = parseDocument(text, { resolve: resolverOf(tree, record.id, links) });
  return evaluated === 'false' ? document : evaluateDocument(document, visitOf(tree, record, evaluated));
}

/** An anonymous visitor: conditions on claims are evaluated without any. */
export const visitOf = (tree: Tree, record: WithBody, evaluated: Evaluated): Visit => ({
  scope: {
    space: { vars: variablesOf(tree) },
    page: { vars: (record.kind === 'page' ? record.variables : undefined) ?? {} },
    visitor: { claims: { unsigned: {} } },
  },
  deterministicOnly: evaluated === 'deterministic-only',
});
