import type { TabBlock, TabsBlock } from '../../../document/index.ts';
import { apart, type Context, type Renderer } from '../context.ts';
import { icon } from '../inlines/icons.ts';
import { element, type HtmlNode } from '../node.ts';
import { fill } from '../words.ts';

/**
 * Tabs are `details` of one name, of which the browser opens one: they work without a script, and are found by search in the
 * page and by fragments.
 */
export const tabs: Renderer<TabsBlock> = (context, { data, nodes = [] }) => {
  if (nodes.length === 0) return undefined;
  context.page.needs.add('tabs');
  const name = context.page.newId('tabs');
  return element(
    'div',
    { class: data?.fullWidth === true ? 'tabs full' : 'tabs' },
    nodes.map((tab, index) => () => tabOf(apart(context), tab, index, name)),
  );
};

function tabOf(context: Context, tab: TabBlock, index: number, name: string): HtmlNode {
  const { title = '', icon: iconName } = tab.data ?? {};
  const label = title === '' ? fill(context.words.tab, { number: index + 1 }) : title;
  const id = context.page.idOf(tab.meta?.id, context.within.length > 0);
  return element(
    'details',
    { name, open: index === 0 },
    element('summary', {}, iconName === undefined ? undefined : icon(context, iconName), label),
    element('div', { class: 'panel flow', id }, context.blocks(context, tab.nodes ?? [])),
  );
}
