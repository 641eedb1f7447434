import type { BlockNode, TabBlock } from '../../../document/index.ts';
import {
  attribute,
  classesOf,
  elementsIn,
  findOuter,
  isElement,
  textOf,
  type ChildNode,
  type Element,
} from '../../dom.ts';
import { isTabList, isTabPanel, isTabSet } from '../../main-content/roles.ts';
import type { BlockConverter, Conversion } from '../context.ts';
import { filled, marked, paragraph, textNode } from '../nodes.ts';

/** Tabs: labels and panels, which are found by their roles or by the classes of a generator. */

interface Tab {
  readonly title: string;
  readonly panel: Element;
}

/** Labels and panels inside one element that has no roles: Material for MkDocs, sphinx-design, VitePress, ReadMe. */
export const convertTabSet: BlockConverter = (element, conversion) => {
  if (!isTabSet(element)) return undefined;
  const labels = findOuter(element, (one) => isLabel(one) || isPanel(one)).filter(isLabel);
  const panels = findOuter(element, isPanel);
  const tabs = panels.map((panel, index): Tab => ({ panel, title: titleOf(labels[index], panel, index) }));
  return tabs.length === 0 ? undefined : tabsBlock(tabs, conversion);
};

const isLabel = (element: Element): boolean => {
  if (element.tagName === 'label' || attribute(element, 'role') === 'tab') return true;
  return element.tagName === 'button' && hasParentClass(element, /^CodeTabs-toolbar$/);
};

function isPanel(element: Element): boolean {
  if (isTabPanel(element)) return true;
  if (classesOf(element).some((name) => /^(?:tabbed-block|sd-tab-content)$/.test(name))) return true;
  // Before version 9, Material has no blocks inside.
  if (classesOf(element).includes('tabbed-content'))
    return !elementsIn(element).some((one) => classesOf(one).includes('tabbed-block'));
  return hasParentClass(element, /^(?:blocks|CodeTabs-inner)$/);
}

const hasParentClass = ({ parentNode }: Element, pattern: RegExp): boolean =>
  parentNode !== null && isElement(parentNode) && classesOf(parentNode).some((name) => pattern.test(name));

const titleOf = (label: Element | undefined, panel: Element, index: number): string =>
  ((label && textOf(label)) || attribute(panel, 'data-title') || `Tab ${index + 1}`).slice(0, 200);

/**
 * Tabs whose list and panels are siblings, or inside siblings. The number of nodes that belong to them is returned too;
 * undefined: no tabs begin at this index.
 */
export function convertTabsAt(
  nodes: readonly ChildNode[],
  index: number,
  conversion: Conversion,
): { readonly blocks: BlockNode[]; readonly length: number } | undefined {
  const { measures } = conversion;
  const head = nodes[index];
  if (!head || !isElement(head)) return undefined;
  const holdsList = isTabList(head) || measures(head).tabList;
  if (!holdsList || measures(head).tabPanel) return undefined;
  const panels: Element[] = [];
  let end = index + 1;
  for (let at = end; at < nodes.length; at++) {
    const node = nodes[at] as ChildNode;
    if (!isElement(node)) continue;
    if (
      isTabList(node) ||
      (measures(node).tabList !== false && !isTabPanel(node) && !measures(node).tabPanel)
    )
      break;
    if (isTabPanel(node)) panels.push(node);
    else if (measures(node).tabPanel && panels.length === 0) panels.push(...findOuter(node, isTabPanel));
    else break;
    end = at + 1;
    if (!isTabPanel(node)) break;
  }
  if (panels.length === 0) return undefined;
  const labels = labelsIn(head);
  const labelOf = labelFinder(labels);
  const tabs = panels.map((panel, at): Tab => ({
    panel,
    title: titleOf(labelOf(panel) ?? labels[at], panel, at),
  }));
  return { blocks: tabsBlock(tabs, conversion), length: end - index };
}

function labelsIn(list: Element): Element[] {
  const byRole = findOuter(list, (one) => attribute(one, 'role') === 'tab');
  return byRole.length > 0
    ? byRole
    : findOuter(list, ({ tagName }) => /^(?:a|button|label|li)$/.test(tagName));
}

/** The label that names a panel, or that the panel names. */
function labelFinder(labels: readonly Element[]): (panel: Element) => Element | undefined {
  const byPanel = new Map<string | undefined, Element>();
  const byId = new Map<string | undefined, Element>();
  for (const label of labels) {
    const target = attribute(label, 'data-bs-target')?.replace(/^#/, '');
    byPanel.set(attribute(label, 'aria-controls') ?? target, label);
    byId.set(attribute(label, 'id'), label);
  }
  byPanel.delete(undefined);
  byId.delete(undefined);
  return (panel) => byPanel.get(attribute(panel, 'id')) ?? byId.get(attribute(panel, 'aria-labelledby'));
}

function tabsBlock(tabs: readonly Tab[], conversion: Conversion): BlockNode[] {
  const nodes = tabs.flatMap(({ title, panel }): TabBlock[] => {
    // A panel may be the code itself.
    const content = filled(
      conversion.inner(isTabPanel(panel) || panel.tagName !== 'pre' ? contentOf(panel) : [panel]),
    );
    return content.length === 0
      ? []
      : [{ object: 'block', type: 'tabs-item', data: { title }, nodes: content }];
  });
  if (nodes.length === 0) return [];
  if (!conversion.isTooDeep) return [{ object: 'block', type: 'tabs', nodes }];
  return nodes.flatMap((tab) => [
    paragraph(marked([textNode(tab.data?.title ?? '')], 'bold')),
    ...(tab.nodes ?? []),
  ]);
}

/** A wrapper of code keeps the language, so it is converted as a whole. */
const contentOf = (panel: Element): ChildNode[] =>
  classesOf(panel).some((name) => /^(?:language-|highlight)/.test(name)) ? [panel] : panel.childNodes;
