import {
  hasConditions,
  renderDocument,
  renderMarkdown,
  respellHrefs,
  visitOf,
  type Body,
  type Evaluated,
} from '../../../content-engine/evaluation/index.ts';
import { movedHrefs, resolverOf } from '../../../content-engine/links/index.ts';
import type { Load } from '../../../content-engine/map/index.ts';
import type { Tree } from '../../../content-engine/tree/index.ts';
import { requireSmall } from '../../../platform/api/too-large-here.ts';
import {
  nameOf,
  readBody,
  runTask,
  runTaskInTurn,
  type WithBody,
  type Work,
} from '../../content-store/index.ts';
import { sizeOfText } from '../../../content-engine/size-of-text.ts';

/** What bodies are read from. */
export interface Source {
  readonly load: Load;
  readonly tree: Tree;
  readonly isFront: boolean;
}

const workOn = (record: WithBody, { text }: Body): Work => ({ size: sizeOfText(text), what: nameOf(record) });

/** The body as bytes of document JSON, its links as references. */
export async function readDocumentJson(
  source: Source,
  record: WithBody,
  evaluated: Evaluated = 'false',
): Promise<Uint8Array> {
  const { load, tree } = source;
  const body = await readBody(load, record);
  const visit = evaluated === 'false' ? undefined : visitOf(tree, record, evaluated);
  return runTaskInTurn(source, workOn(record, body), () =>
    renderDocument(body.text, resolverOf(tree, record.id, body.links), visit),
  );
}

/** The body as Markdown, as it was written, except that links follow targets that moved. */
export async function readMarkdown(
  source: Source,
  record: WithBody,
  evaluated: Evaluated = 'false',
): Promise<string> {
  const { load, tree } = source;
  const body = await readBody(load, record);
  const text = withCurrentLinks(source, record, body);
  if (evaluated === 'false' || !hasConditions(text)) return text;
  const visit = visitOf(tree, record, evaluated);
  return runTaskInTurn(source, workOn(record, body), () =>
    renderMarkdown(text, resolverOf(tree, record.id, body.links), visit),
  );
}

/** The text of a body, its links to targets that moved respelled. */
export function withCurrentLinks(source: Omit<Source, 'load'>, record: WithBody, body: Body): string {
  requireSmall(source, 'items', Object.keys(body.links).length);
  const moved = movedHrefs(source.tree, record.id, body.links);
  if (moved.size === 0) return body.text;
  return runTask(source, workOn(record, body), () => respellHrefs({ text: body.text, moved }));
}
