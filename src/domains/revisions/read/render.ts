import {
  hasConditions,
  renderDocument,
  renderMarkdown,
  visitOf,
  type Body,
  type Evaluated,
  type Targets,
} from '../../../content-engine/evaluation/index.ts';
import {
  linkTableInSteps,
  movedHrefs,
  movedHrefsInSteps,
  resolverOf,
  type Refs,
} from '../../../content-engine/links/index.ts';
import type { Load } from '../../../content-engine/map/index.ts';
import type { ContentRef, LinkTable, Tree } from '../../../content-engine/tree/index.ts';
import { inSlices } from '../../../platform/threads/slices.ts';
import { readBody, type WithBody } from './bodies.ts';
import { sizeOfText } from '../../../content-engine/size-of-text.ts';
import { isLarge, type Engine, type Work } from '../engine.ts';

/** What bodies are read from. */
export interface Source {
  readonly load: Load;
  readonly tree: Tree;
  readonly engine: Engine;
}

export const nameOf = (record: WithBody): string =>
  `${record.kind === 'page' ? 'Page' : 'Reusable content'} "${record.title}"`;

const workOn = (record: WithBody, { text }: Body): Work => ({ size: sizeOfText(text), what: nameOf(record) });

/** The body as bytes of document JSON, its links as references. */
export async function readDocumentJson(
  source: Source,
  record: WithBody,
  evaluated: Evaluated = 'false',
): Promise<Uint8Array> {
  const { load, tree, engine } = source;
  const body = await readBody(load, record);
  const { text, links } = body;
  const visit = evaluated === 'false' ? undefined : visitOf(tree, record, evaluated);
  const work = workOn(record, body);
  if (!isLarge(work.size))
    return engine.here(work.what, () => renderDocument(text, resolverOf(tree, record.id, links), visit));
  const targets = await targetsOf(source, record, body);
  return engine.run('documentJson', { text, targets, visit }, work);
}

/** The body as Markdown, as it was written, except that links follow targets that moved. */
export async function readMarkdown(
  source: Source,
  record: WithBody,
  evaluated: Evaluated = 'false',
): Promise<string> {
  const { load, tree, engine } = source;
  const body = await readBody(load, record);
  const text = await withCurrentLinks(source, record, body);
  if (evaluated === 'false' || !hasConditions(text)) return text;
  const visit = visitOf(tree, record, evaluated);
  const work = workOn(record, body);
  if (!isLarge(work.size))
    return engine.here(work.what, () => renderMarkdown(text, resolverOf(tree, record.id, body.links), visit));
  const targets = await targetsOf(source, record, { ...body, text });
  return engine.run('evaluateMarkdown', { text, targets, visit }, work);
}

/** Hrefs that take a few milliseconds. */
const HREFS_A_STEP = 200;

export async function withCurrentLinks(
  { tree, engine }: Source,
  record: WithBody,
  body: Body,
): Promise<string> {
  const isShort = Object.keys(body.links).length <= HREFS_A_STEP;
  const moved = isShort
    ? movedHrefs(tree, record.id, body.links)
    : await inSlices(movedHrefsInSteps(tree, record.id, body.links));
  if (moved.size === 0) return body.text;
  return engine.run('respellHrefs', { text: body.text, moved }, workOn(record, body));
}

/** The targets of all addresses in a large body: a thread does not have the tree. */
export async function targetsOf(
  { tree, engine }: Pick<Source, 'tree' | 'engine'>,
  record: WithBody,
  body: Body,
  resolve: ReturnType<typeof resolverOf> = resolverOf(tree, record.id, body.links),
): Promise<Targets> {
  const hrefs = await engine.run('listHrefs', body.text, workOn(record, body));
  return resolveInSlices(hrefs, (href) => resolve({ href }));
}

export const resolveInSlices = (
  hrefs: readonly string[],
  resolve: (href: string) => ContentRef | undefined,
): Promise<Targets> => inSlices(resolveEach(hrefs, resolve));

function* resolveEach(
  hrefs: readonly string[],
  resolve: (href: string) => ContentRef | undefined,
): Generator<void, Targets, void> {
  const targets = new Map<string, ContentRef>();
  for (const [index, href] of hrefs.entries()) {
    const ref = resolve(href);
    if (ref) targets.set(href, ref);
    if (index % HREFS_A_STEP === 0) yield;
  }
  return targets;
}

/** `linkTable` for many addresses, in slices. */
export const linkTableOf = (
  tree: Tree,
  from: string,
  hrefs: readonly string[],
  refs: Refs,
): Promise<LinkTable> => inSlices(linkTableInSteps(tree, from, hrefs, refs));
