import {
  readTable,
  type CardsView,
  type Cell,
  type Column,
  type ContentRef,
  type InlineContent,
  type Row,
  type TableBlock,
} from '../../document/index.ts';
import { cellContent } from './cell.ts';
import { apart, interactive, type Context, type Renderer } from './context.ts';
import { inlines } from './inlines.ts';
import { anchor, targetOf, titleOf } from './links.ts';
import { element, type HtmlNode } from './node.ts';
import { picture } from './picture.ts';

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

function cardOf(context: Context, columns: readonly Column[], view: CardsView, { cells }: Row): HtmlNode {
  const byColumn = new Map(cells.map(([index, cell]) => [columns[index]?.id, cell]));
  const target = refOf(byColumn.get(view.targetDefinition));
  const special = new Set([view.coverDefinition, view.coverDefinitionDark, view.targetDefinition]);
  const shown = cells.flatMap(([index, cell]) => {
    const column = columns[index];
    return column && !column.hidden && !special.has(column.id) ? [{ column, cell }] : [];
  });
  const title = titleIn(shown[0]?.cell);
  const rest = title === undefined ? shown : shown.slice(1);
  const content = [
    titleOfCard(context, title, target),
    rest.map(
      ({ column, cell }) =>
        () =>
          field(context, column, cell, view),
    ),
  ];
  return element(
    'li',
    { class: 'card' },
    coverOf(context, byColumn.get(view.coverDefinition), byColumn.get(view.coverDefinitionDark)),
    element('div', {}, content),
  );
}

const refOf = (cell: Cell | undefined): ContentRef | undefined =>
  cell?.type === 'content-ref' ? cell.ref : undefined;

/** A first cell of one line is the title of its card. */
function titleIn(cell: Cell | undefined): readonly InlineContent[] | undefined {
  if (cell?.type !== 'text') return undefined;
  const [only, ...more] = cell.nodes;
  if (!only || more.length > 0) return undefined;
  switch (only.type) {
    case 'paragraph':
    case 'heading-1':
    case 'heading-2':
    case 'heading-3':
      return only.nodes ?? [];
    default:
      return undefined;
  }
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

function coverOf(context: Context, light: Cell | undefined, dark: Cell | undefined): HtmlNode {
  const ref = light?.type === 'image' ? light.image.ref : undefined;
  const refDark = dark?.type === 'image' ? dark.image.ref : undefined;
  const shown = ref ?? refDark;
  return shown && picture(context, { ref: shown, refDark: ref && refDark, alt: '' });
}
