import type { JSONDocument } from '../nodes.ts';
import { DESCRIPTIONS, PARTS } from '../blocks/index.ts';
import { INLINES, LEAVES } from './inlines.ts';
import { ANY_NAME, type Content, type NodeShape } from './node.ts';
import { anObject, isObject, listOf, type Plain, type Problem } from './shape.ts';
import { tableProblem } from './table.ts';

const INLINE_SHAPES: ReadonlyMap<string, NodeShape> = new Map(Object.entries(INLINES));

/**
 * Narrows a value that a client sent to a document. This is the only place where JSON becomes typed nodes: all other code
 * relies on the types.
 */
export function checkDocument(
  value: unknown,
): { readonly document: JSONDocument } | { readonly problem: Problem } {
  const problem = problemIn(value);
  return problem ? { problem } : { document: value as JSONDocument };
}

/**
 * The first problem of a document; undefined where it is valid. Unknown types and nodes in a wrong place are refused,
 * because Markdown has no form for them and they would be lost silently.
 */
function problemIn(document: unknown): Problem | undefined {
  if (!isObject(document) || document['object'] !== 'document')
    return { path: '', rule: 'must be a document' };
  return (
    (document['data'] === undefined ? undefined : anObject(document['data'], '.data')) ??
    inContent(document['nodes'], '.nodes', 'blocks')
  );
}

function inContent(nodes: unknown, path: string, holds: Content): Problem | undefined {
  return listOf((node, at) => inNode(node, at, holds))(nodes, path);
}

function inNode(node: unknown, path: string, holds: Content): Problem | undefined {
  if (!isObject(node)) return { path, rule: `must be ${wanted(holds)}` };
  const { object, type } = node;
  if (object === 'text') return inText(node, path, holds);
  const known = object === 'block' ? DESCRIPTIONS : object === 'inline' ? INLINE_SHAPES : undefined;
  if (!known) return { path, rule: `must be ${wanted(holds)}` };
  const shape = typeof type === 'string' ? known.get(type) : undefined;
  if (!shape || typeof type !== 'string') {
    const types = [...known.keys()].join(', ');
    return { path: `${path}.type`, rule: `must be a known type of ${String(object)}: ${types}` };
  }
  if (!isWanted(known === DESCRIPTIONS, type, holds))
    return { path, rule: `must be ${wanted(holds)}, not ${type}` };
  return inData(node, shape, path) ?? inside(node, shape, path);
}

function isWanted(isBlock: boolean, type: string, holds: Content): boolean {
  if (holds === 'blocks') return isBlock && !PARTS.has(type);
  if (holds === 'inlines') return !isBlock;
  return typeof holds !== 'string' && holds.some((one) => one === type);
}

const NAMES = { blocks: 'a block', inlines: 'an inline or a text', texts: 'a text', nothing: 'absent' };
const wanted = (holds: Content): string =>
  typeof holds === 'string' ? NAMES[holds] : `of type ${holds.join(' or ')}`;

function inText({ leaves }: Plain, path: string, holds: Content): Problem | undefined {
  const problem = LEAVES(leaves, `${path}.leaves`);
  if (problem) return problem;
  const isWelcome =
    typeof holds === 'string' ? holds === 'inlines' || holds === 'texts' : holds.includes('text');
  // Editors put an empty text into what has none.
  const isEmpty = Array.isArray(leaves) && leaves.every((leaf) => isObject(leaf) && leaf['text'] === '');
  return isWelcome || (holds === 'nothing' && isEmpty)
    ? undefined
    : { path, rule: `must be ${wanted(holds)}, not text` };
}

function inData({ type, data = {}, fragments }: Plain, shape: NodeShape, path: string): Problem | undefined {
  if (type === 'table' && isObject(data)) return tableProblem(data, fragments, `${path}.data`);
  return (shape.data ?? anObject)(data, `${path}.data`);
}

function inside({ nodes, fragments }: Plain, shape: NodeShape, path: string): Problem | undefined {
  const problem = nodes === undefined ? undefined : inContent(nodes, `${path}.nodes`, shape.holds);
  if (problem || fragments === undefined) return problem;
  return listOf((fragment, at) => inFragment(fragment, at, shape.fragments))(fragments, `${path}.fragments`);
}

function inFragment(
  fragment: unknown,
  path: string,
  known: NodeShape['fragments'] = {},
): Problem | undefined {
  if (!isObject(fragment) || fragment['object'] !== 'fragment') return { path, rule: 'must be a fragment' };
  const name = fragment['fragment'] ?? fragment['type'];
  const isKnown = typeof name === 'string' && Object.hasOwn(known, name);
  const holds = isKnown ? known[name] : typeof name === 'string' ? known[ANY_NAME] : undefined;
  if (holds !== undefined) return inContent(fragment['nodes'], `${path}.nodes`, holds);
  const names = Object.keys(known).join(', ');
  const rule = names === '' ? 'must be absent' : `must be one of ${names}`;
  return { path: `${path}.fragment`, rule: names === ANY_NAME ? 'must be a string' : rule };
}
