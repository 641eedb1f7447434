import {
  inlinesOf,
  readCard,
  readTable,
  type CardsView,
  type Cell,
  type Column,
  type ContentRef,
  type InlineContent,
  type Row,
  type TableBlock,
} from '../../../document/index.ts';
import { cellContent } from './cell.ts';
import { apart, interactive, type Context, type Renderer } from '../context.ts';
import { inlines } from '../inlines/inlines.ts';
import { anchor, targetOf, titleOf } from '../inlines/links.ts';
import { element, type HtmlNode } from '../node.ts';
import { picture } from '../inlines/picture.ts';

/** A table as cards: a cover, a title that links to the target, and the other cells. */
export const cards: Renderer<TableBlock> = (context, block) => {
  const { view, columns, rows } = readTable(block);
  if (view.type !== 'cards' || rows.length === 0) return undefined;
  const classes = [
    'cards',
    view.cardSize === 'large' ? 'large' : '',
    block.data.fullWidth === true ? 'full' : '',
  ];
  return element(
    'ul',
    { class: classes.filter(Boolean).join(' ') },
    rows.map((row) => () => cardOf(apart(context), columns, view, row)),
  );
};

function cardOf(context: Context, columns: readonly Column[], view: CardsView, row: Row): HtmlNode {
  const { cover, coverDark, target, cells } = readCard(columns, view, row);
  const title = titleIn(cells[0]?.cell);
  const ref = target?.type === 'content-ref' ? target.ref : undefined;
  const shown = cover ?? coverDark;
  return element(
    'li',
    { class: 'card' },
    shown && picture(context, { ref: shown, refDark: cover && coverDark, alt: '' }),
    element(
      'div',
      {},
      titleOfCard(context, title, ref),
      cells.slice(title === undefined ? 0 : 1).map(
        ({ column, cell }) =>
          () =>
            field(context, column, cell, view),
      ),
    ),
  );
}

/** A first cell of one line is the title of its card. */
function titleIn(cell: Cell | undefined): readonly InlineContent[] | undefined {
  if (cell?.type !== 'text') return undefined;
  const [only, ...more] = cell.nodes;
  return only && more.length === 0 ? inlinesOf(only) : undefined;
}

/** One level below the heading above the cards, so that no level is left out. */
function titleOfCard(
  context: Context,
  title: readonly InlineContent[] | undefined,
  ref: ContentRef | undefined,
): HtmlNode {
  const { level } = context.page.heading;
  const name = level < 2 ? 'h2' : level < 3 ? 'h3' : 'h4';
  const target = ref && targetOf(context, ref);
  if (title === undefined) {
    // The target still needs a link, and the link a name.
    return ref && target ? element(name, {}, anchor(context, ref, {}, titleOf(target, ref))) : undefined;
  }
  const link = ref && anchor(context, ref, {}, inlines(interactive(context), title));
  return element(name, {}, link ?? inlines(context, title));
}

function field(context: Context, column: Column, cell: Cell, view: CardsView): HtmlNode {
  const hasTitle = cell.type !== 'text' && view.hideColumnTitle !== true && column.title.trim() !== '';
  const label = hasTitle ? element('small', {}, column.title) : undefined;
  return element('div', {}, label, cellContent(context, cell));
}
