/** A document as a visitor sees it: expressions are replaced by their values, and conditions by their content. Pure. */
import { Budget } from '../budget.ts';
import {
  displayText,
  evaluate,
  evaluateCondition,
  isDeterministic,
  type Scope,
} from '../expressions/index.ts';
import {
  plainTextNode,
  withContent,
  type BlockNode,
  type InlineContent,
  type InlineNode,
  type JSONDocument,
} from '../document/index.ts';

/** The values that expressions may read. */
export interface Visit {
  readonly scope: Scope;
  /** Expressions that depend on the visitor are left as they are. */
  readonly deterministicOnly: boolean;
}

/** Total length of the values of all expressions of a document: a short expression can have 4,096 characters. */
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
  return { ...document, nodes: evaluateBlocks(document.nodes, { ...visit, text }) };
};

const evaluateBlocks = (blocks: readonly BlockNode[], visit: Evaluation): BlockNode[] =>
  blocks.flatMap((block) => evaluateBlock(block, visit));

function evaluateBlock(block: BlockNode, visit: Evaluation): BlockNode[] {
  if (block.type === 'if' && mayEvaluate(block.data.expression, visit)) {
    const isShown = evaluateCondition(block.data.expression, visit.scope);
    return isShown ? evaluateBlocks(block.nodes ?? [], visit) : [];
  }
  return [evaluateContent(block, visit)];
}

function evaluateInline(node: InlineContent, visit: Evaluation): InlineContent {
  if (node.object === 'text') return node;
  if (node.type === 'expression' && mayEvaluate(node.data.expression, visit)) {
    return plainTextNode(valueOf(node.data.expression, visit), node.key);
  }
  return evaluateContent(node, visit);
}

function evaluateContent<Node extends BlockNode | InlineNode>(node: Node, visit: Evaluation): Node {
  const { nodes, fragments } = node;
  const evaluated = (child: BlockNode | InlineContent): (BlockNode | InlineContent)[] =>
    child.object === 'block' ? evaluateBlock(child, visit) : [evaluateInline(child, visit)];
  return withContent(node, {
    ...(nodes ? { nodes: nodes.flatMap(evaluated) } : {}),
    ...(fragments
      ? { fragments: fragments.map((one) => ({ ...one, nodes: evaluateBlocks(one.nodes, visit) })) }
      : {}),
  });
}

const mayEvaluate = (expression: string, { deterministicOnly }: Evaluation): boolean =>
  !deterministicOnly || isDeterministic(expression);

/** An expression that fails shows nothing, because a reader cannot correct it. */
function valueOf(expression: string, { scope, text: budget }: Evaluation): string {
  const result = evaluate(expression, scope);
  const text = result.ok ? displayText(result.value) : '';
  budget.spend(text.length);
  return text;
}
