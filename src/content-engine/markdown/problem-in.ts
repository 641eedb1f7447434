/** Where a document that somebody sent is not built as one; undefined where it is. What its nodes mean is not asked. */
export function problemIn(document: unknown): string | undefined {
  if (!isObject(document)) return '';
  return inNodes(document['nodes'], '.nodes', isBlock) ?? inData(document, '');
}

type Node = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isBlock = (node: Node): boolean => node['object'] === 'block' && typeof node['type'] === 'string';
const isInside = (node: Node): boolean =>
  isBlock(node) ||
  (node['object'] === 'inline' && typeof node['type'] === 'string') ||
  (node['object'] === 'text' && Array.isArray(node['leaves']));
const isFragment = (node: Node): boolean => node['object'] === 'fragment' && Array.isArray(node['nodes']);

function inNodes(nodes: unknown, path: string, isGood: (node: Node) => boolean): string | undefined {
  if (!Array.isArray(nodes)) return path;
  for (const [index, node] of (nodes as unknown[]).entries()) {
    const at = `${path}.${index}`;
    if (!isObject(node) || !isGood(node)) return at;
    const found = inNode(node, at);
    if (found !== undefined) return found;
  }
  return undefined;
}

function inNode(node: Node, path: string): string | undefined {
  if (node['object'] === 'text') return inLeaves(node['leaves'] as unknown[], `${path}.leaves`);
  return (
    inData(node, path) ??
    (node['nodes'] === undefined ? undefined : inNodes(node['nodes'], `${path}.nodes`, isInside)) ??
    (node['fragments'] === undefined
      ? undefined
      : inNodes(node['fragments'], `${path}.fragments`, isFragment))
  );
}

const inData = ({ data }: Node, path: string): string | undefined =>
  data === undefined || isObject(data) ? undefined : `${path}.data`;

function inLeaves(leaves: readonly unknown[], path: string): string | undefined {
  const bad = leaves.findIndex(
    (leaf) =>
      !isObject(leaf) ||
      typeof leaf['text'] !== 'string' ||
      !(leaf['marks'] === undefined || (Array.isArray(leaf['marks']) && leaf['marks'].every(isObject))),
  );
  return bad < 0 ? undefined : `${path}.${bad}`;
}
