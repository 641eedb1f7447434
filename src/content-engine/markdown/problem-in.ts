import { BLOCKS, INLINES, LEAVES, PARTS, type Content, type NodeShape } from './check/nodes.ts';
import { anObject, isObject, listOf, type Plain, type Problem } from './check/shape.ts';
import { tableProblem } from './check/table.ts';

export type { Problem } from './check/shape.ts';

/**
 * What is wrong with a document that somebody sent; undefined where nothing is. What the model does not know is refused,
 * and so is what stands where it cannot: there would be no Markdown for it, and it would be lost without a word.
 */
export function problemIn(document: unknown): Problem | undefined {
  if (!isObject(document)) return { path: '', rule: 'must be a document' };
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
  const known = object === 'block' ? BLOCKS : object === 'inline' ? INLINES : undefined;
  if (!known) return { path, rule: `must be ${wanted(holds)}` };
  const shape = typeof type === 'string' ? known.get(type) : undefined;
  if (!shape) {
    const types = [...known.keys()].join(', ');
    return { path: `${path}.type`, rule: `must be a type of ${String(object)} that there is: ${types}` };
  }
  if (!isWanted(object as string, type as string, holds)) {
    return { path, rule: `must be ${wanted(holds)}, not ${String(type)}` };
  }
  return inData(node, shape, path) ?? inside(node, shape, path);
}

function isWanted(object: string, type: string, holds: Content): boolean {
  if (holds === 'blocks') return object === 'block' && !PARTS.has(type);
  if (holds === 'inlines') return object === 'inline';
  return typeof holds !== 'string' && holds.includes(type);
}

const NAMES = { blocks: 'a block', inlines: 'an inline or a text', texts: 'a text', nothing: 'left out' };
const wanted = (holds: Content): string =>
  typeof holds === 'string' ? NAMES[holds] : holds.map((type) => `a ${type}`).join(' or ');

function inText({ leaves }: Plain, path: string, holds: Content): Problem | undefined {
  const problem = LEAVES(leaves, `${path}.leaves`);
  if (problem) return problem;
  const isWelcome =
    typeof holds === 'string' ? holds === 'inlines' || holds === 'texts' : holds.includes('text');
  // Editors put an empty text into what has none.
  const isEmpty = (leaves as readonly { text: string }[]).every((leaf) => leaf.text === '');
  return isWelcome || (holds === 'nothing' && isEmpty)
    ? undefined
    : { path, rule: `must be ${wanted(holds)}, not text` };
}

function inData({ type, data = {}, fragments }: Plain, shape: NodeShape, path: string): Problem | undefined {
  if (type === 'table') return tableProblem(data, fragments, `${path}.data`);
  return (shape.data ?? anObject)(data, `${path}.data`);
}

function inside(node: Plain, shape: NodeShape, path: string): Problem | undefined {
  const { type, nodes, fragments } = node;
  const problem = nodes === undefined ? undefined : inContent(nodes, `${path}.nodes`, shape.holds);
  if (problem) return problem;
  if (type === 'link') {
    // Of two links, one in the other, Markdown keeps one.
    const nested = (nodes as readonly Plain[] | undefined)?.findIndex(
      (one) => one['type'] === 'link' || one['type'] === 'annotation',
    );
    if (nested !== undefined && nested >= 0)
      return { path: `${path}.nodes.${nested}`, rule: 'must not be a link or an annotation, inside a link' };
  }
  return fragments === undefined ? undefined : inFragments(fragments, shape, type === 'table', path);
}

function inFragments(
  fragments: unknown,
  { fragments: known = {} }: NodeShape,
  isTable: boolean,
  path: string,
): Problem | undefined {
  return listOf((fragment, at) => {
    if (!isObject(fragment) || fragment['object'] !== 'fragment')
      return { path: at, rule: 'must be a fragment' };
    const name = fragment['fragment'] ?? fragment['type'];
    if (isTable) {
      return typeof name === 'string'
        ? inContent(fragment['nodes'], `${at}.nodes`, 'blocks')
        : { path: `${at}.fragment`, rule: 'must be a string' };
    }
    const holds = typeof name === 'string' && Object.hasOwn(known, name) ? known[name] : undefined;
    if (holds === undefined) {
      const names = Object.keys(known).join(', ');
      return {
        path: `${at}.fragment`,
        rule: names === '' ? 'must be left out here' : `must be one of ${names}`,
      };
    }
    return inContent(fragment['nodes'], `${at}.nodes`, holds);
  })(fragments, `${path}.fragments`);
}
