import { defaultTreeAdapter, type DefaultTreeAdapterMap, type TreeAdapter } from 'parse5';
import { Budget, BudgetExceeded } from '../budget.ts';
import { isElement, type Element, type Node } from './dom.ts';

/** Elements, comments and attributes of a page. The largest pages of API references have 60,000. */
const MAX_DOM_NODES = 150_000;
const MAX_ATTRIBUTES = 1000;
/** The parser searches its open elements for each tag, so that depth multiplies time. */
const MAX_DEPTH = 5000;

/**
 * Builds the document of one page. Throws `BudgetExceeded` while the page is parsed, because unclosed formatting elements
 * are repeated in every paragraph: a small page can be a document of any size. Texts need no count, because adjacent
 * ones are joined.
 */
export function boundedAdapter(): TreeAdapter<DefaultTreeAdapterMap> {
  const nodes = new Budget(
    MAX_DOM_NODES,
    `has more than ${MAX_DOM_NODES.toLocaleString('en')} elements and attributes.`,
  );
  const place = (parent: Node, child: Node): void => {
    if (!isElement(child)) return;
    child.depth = ((isElement(parent) ? parent.depth : undefined) ?? 0) + 1;
    if (child.depth > MAX_DEPTH)
      throw new BudgetExceeded(`has elements inside more than ${MAX_DEPTH.toLocaleString('en')} others.`);
  };
  return {
    ...defaultTreeAdapter,
    createElement(name, namespace, attributes) {
      if (attributes.length > MAX_ATTRIBUTES)
        throw new BudgetExceeded(
          `has an element with more than ${MAX_ATTRIBUTES.toLocaleString('en')} attributes.`,
        );
      nodes.spend(1 + attributes.length);
      // All members at once: engines read objects of one shape faster.
      const element: Element = {
        nodeName: name,
        tagName: name,
        attrs: attributes,
        namespaceURI: namespace,
        childNodes: [],
        parentNode: null,
        depth: 0,
        classes: undefined,
      };
      return element;
    },
    createCommentNode(data) {
      nodes.spend(1);
      return defaultTreeAdapter.createCommentNode(data);
    },
    appendChild(parent, child) {
      place(parent, child);
      defaultTreeAdapter.appendChild(parent, child);
    },
    insertBefore(parent, child, reference) {
      place(parent, child);
      defaultTreeAdapter.insertBefore(parent, child, reference);
    },
  };
}
