/** A document as a visitor sees it: expressions have their values, and conditions are decided. Pure. */
import { Budget } from '../budget.ts';
import {
  displayText,
  evaluate,
  evaluateCondition,
  isDeterministic,
  type Scope,
} from '../expressions/index.ts';
import type { BlockNode, FragmentNode, InlineNode, JSONDocument, TextNode } from '../markdown/index.ts';

/** What expressions are allowed to read. */
export interface Visit {
  readonly scope: Scope;
  /** Leaves alone what is not the same for every visitor. */
  readonly deterministicOnly: boolean;
}

type Node = BlockNode | InlineNode | TextNode;

/** Characters that the expressions of a document may give in all: a short one can give 4,096. */
const MAX_EXPRESSION_TEXT = 1_000_000;

interface Evaluation extends Visit {
  readonly text: Budget;
}

/** Throws `BudgetExceeded`. */
export const evaluateDocument = (document: JSONDocument, visit: Visit): JSONDocument => {
  const text = new Budget(
    MAX_EXPRESSION_TEXT,
    `has expressions that produce more than ${MAX_EXPRESSION_TEXT.toLocaleString('en')} characters. Use fewer or shorter ones.`,
  );
  return { ...document, nodes: nodesOf(document.nodes, { ...visit, text }) as BlockNode[] };
};

const nodesOf = (nodes: readonly Node[], visit: Evaluation): Node[] =>
  nodes.flatMap((node) => evaluated(node, visit));

function evaluated(node: Node, visit: Evaluation): Node[] {
  if (node.object === 'text') return [node];
  const expression = expressionOf(node);
  if (expression !== undefined && !(visit.deterministicOnly && !isDeterministic(expression))) {
    if (node.object === 'inline') return [textOf(expression, visit, node.key)];
    return evaluateCondition(expression, visit.scope) ? nodesOf(node.nodes ?? [], visit) : [];
  }
  return [
    {
      ...node,
      ...(node.nodes ? { nodes: nodesOf(node.nodes, visit) } : {}),
      ...(node.fragments ? { fragments: fragmentsOf(node.fragments, visit) } : {}),
    } as Node,
  ];
}

const fragmentsOf = (fragments: readonly FragmentNode[], visit: Evaluation): FragmentNode[] =>
  fragments.map((fragment) => ({ ...fragment, nodes: nodesOf(fragment.nodes, visit) as BlockNode[] }));

function expressionOf(node: BlockNode | InlineNode): string | undefined {
  const holds = node.object === 'block' ? node.type === 'if' : node.type === 'expression';
  const expression = node.data?.['expression'];
  return holds && typeof expression === 'string' ? expression : undefined;
}

/** What fails shows nothing: a reader can do nothing about it. */
function textOf(expression: string, { scope, text: budget }: Evaluation, key: string | undefined): TextNode {
  const result = evaluate(expression, scope);
  const text = result.ok ? displayText(result.value) : '';
  budget.spend(text.length);
  return {
    object: 'text',
    ...(key === undefined ? {} : { key }),
    leaves: [{ object: 'leaf', text, marks: [] }],
  };
}
