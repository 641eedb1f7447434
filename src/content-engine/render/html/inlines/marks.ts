import { MARK_ELEMENTS, type Leaf, type Mark } from '../../../document/index.ts';
import { colorName } from '../color.ts';
import { element, type HtmlNode } from '../node.ts';

/** How the text of a leaf is rendered; `isCode` where it has that mark. */
type TextRenderer = (text: string, isCode: boolean) => HtmlNode;

interface Run {
  readonly text: string;
  readonly marks: readonly Mark[];
  readonly isCode: boolean;
}

/** Leaves with their marks as elements. Neighbours share the element of a mark that they have in common. */
export const marked = (leaves: readonly Leaf[], render: TextRenderer): HtmlNode => {
  const runs = leaves
    .filter(({ text }) => text !== '')
    .map(({ text, marks }) => ({ text, marks, isCode: marks.some(({ type }) => type === 'code') }));
  return group(runs, render);
};

/** Each level of the recursion removes a mark, so that its depth is bounded by the number of marks. */
function group(runs: readonly Run[], render: TextRenderer): HtmlNode {
  const nodes: HtmlNode[] = [];
  for (let at = 0; at < runs.length;) {
    const run = runs[at] as Run;
    const mark = outermost(runs, at);
    if (!mark) {
      nodes.push(render(run.text, run.isCode));
      at++;
      continue;
    }
    const end = endOf(runs, at, mark);
    const inner = runs.slice(at, end).map((one) => ({
      ...one,
      marks: one.marks.filter((own) => !isEqual(own, mark)),
    }));
    nodes.push(wrap(mark, group(inner, render)));
    at = end;
  }
  return nodes;
}

/** The mark that most of the following runs share. Code is innermost: its text is not markup. */
function outermost(runs: readonly Run[], at: number): Mark | undefined {
  const marks = runs[at]?.marks ?? [];
  let best: Mark | undefined;
  let bestEnd = 0;
  for (const mark of marks) {
    const end = mark.type === 'code' ? at : endOf(runs, at, mark);
    if (best && end <= bestEnd) continue;
    best = mark;
    bestEnd = end;
  }
  return best;
}

function endOf(runs: readonly Run[], at: number, mark: Mark): number {
  let end = at + 1;
  while (runs[end]?.marks.some((own) => isEqual(own, mark))) end++;
  return end;
}

const isEqual = (one: Mark, other: Mark): boolean =>
  one.type === other.type &&
  one.data?.text === other.data?.text &&
  one.data?.background === other.data?.background;

function wrap(mark: Mark, content: HtmlNode): HtmlNode {
  if (mark.type !== 'color') return element(MARK_ELEMENTS[mark.type], {}, content);
  const color = colorName(mark.data.text);
  const fill = colorName(mark.data.background);
  if (fill !== undefined) return element('mark', { 'data-color': color, 'data-fill': fill }, content);
  return color === undefined ? content : element('span', { 'data-color': color }, content);
}
