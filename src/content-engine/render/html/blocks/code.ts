import { textOfInlines, type CodeBlock, type CodeLineBlock } from '../../../document/index.ts';
import { highlight, type Token, type TokenKind } from '../../../highlight/index.ts';
import { interactive, type Context, type Renderer } from '../context.ts';
import { icon } from '../inlines/icons.ts';
import { inlines } from '../inlines/inlines.ts';
import { element, type HtmlNode } from '../node.ts';
import { fill } from '../words.ts';

const CLASSES: Readonly<Record<TokenKind, string>> = {
  comment: 'c',
  string: 's',
  number: 'n',
  name: 'f',
  keyword: 'k',
};

/** Lines of folded code that are shown, unless the block says how many. */
const FOLDED_LINES = 10;

export const code: Renderer<CodeBlock> = (context, block) => {
  const { data = {}, nodes: lines = [] } = block;
  const texts = lines.map((line) => textOfInlines(line.nodes));
  if (data.syntax === 'mermaid') return mermaid(context, texts.join('\n'));
  if (data.verbatim === true && isComment(texts)) return undefined;
  context.page.needs.add('code');
  const shown = data.expandable === true ? (data.collapsedLineCount ?? FOLDED_LINES) : lines.length;
  const tokens = highlight(texts, data.syntax ?? '');
  const content = lines.map(
    (line, index) => () => lineOf(context, line, tokens[index] ?? [], index >= shown),
  );
  return codeFigure(context, {
    title: data.title ?? '',
    icon: 'file',
    className: data.fullWidth === true ? 'code full' : 'code',
    preClass: [data.lineNumbers === true ? 'numbers' : '', data.overflow === 'wrap' ? 'wrap' : ''],
    language: data.syntax,
    content,
    lines: lines.length > shown ? lines.length : undefined,
  });
};

/** A comment of the source is not for readers. */
const isComment = (lines: readonly string[]): boolean => {
  const text = lines.join('\n').trim();
  return text.startsWith('<!--') && text.indexOf('-->') === text.length - 3;
};

/** The end of a line is in the line, so that selected or copied text has it. */
function lineOf(
  context: Context,
  line: CodeLineBlock,
  tokens: readonly Token[],
  isFolded: boolean,
): HtmlNode {
  const isPlain = (line.nodes ?? []).every((node) => node.object === 'text');
  const content = isPlain ? tokens.map(tokenOf) : inlines(interactive(context), line.nodes);
  const className = `line${line.data?.highlighted === true ? ' on' : ''}${isFolded ? ' rest' : ''}`;
  return element('span', { class: className }, content, '\n');
}

export const tokenOf = ({ kind, text }: Token): HtmlNode =>
  kind === undefined ? text : element('span', { class: CLASSES[kind] }, text);

interface CodeFigure {
  readonly title: string;
  readonly icon: string;
  readonly className: string;
  readonly preClass?: readonly string[];
  readonly language?: string | undefined;
  readonly content: HtmlNode;
  /** The number of lines, where some of them are folded away. */
  readonly lines?: number | undefined;
}

/** Code with its title and buttons. Folding is a checkbox, and needs no script. */
export function codeFigure(context: Context, figure: CodeFigure): HtmlNode {
  const { title, className, preClass = [], content, lines } = figure;
  const copy = copyButton(context, title);
  const pre = element(
    'pre',
    { tabindex: '0', class: preClass.filter(Boolean).join(' ') || undefined },
    element('code', { class: languageClass(figure.language) }, content),
  );
  const unfold =
    lines === undefined
      ? undefined
      : element(
          'label',
          { class: 'unfold' },
          element('input', { type: 'checkbox' }),
          fill(context.words.showLines, { count: lines.toLocaleString(context.locale) }),
        );
  if (title === '') return element('figure', { class: className }, pre, copy, unfold);
  const caption = element('figcaption', {}, icon(context, figure.icon), title, copy);
  return element('figure', { class: className }, caption, pre, unfold);
}

/** The conventional class, by which programs that read the page know the language. */
const languageClass = (language = ''): string | undefined =>
  /^\S{1,40}$/.test(language) ? `language-${language}` : undefined;

function copyButton(context: Context, title: string): HtmlNode {
  context.page.needs.add('copy');
  const { copy, copyTitle } = context.words;
  return element(
    'button',
    {
      type: 'button',
      class: 'copy button quiet icon small needs-js',
      'aria-label': title === '' ? copy : fill(copyTitle, { title }),
    },
    icon(context, 'copy'),
    icon(context, 'check'),
  );
}

/** A short chart from side to side needs half the height. The height is known before it is drawn, so that nothing moves. */
const isWide = (source: string): boolean =>
  /^\s*(?:graph|flowchart)\s+(?:LR|RL)\b/.test(source) && source.trim().split('\n').length <= 5;

/** The source of a diagram: a script of the page draws it when it comes into view. */
function mermaid({ page }: Context, source: string): HtmlNode {
  page.needs.add('mermaid');
  return element(
    'figure',
    { class: isWide(source) ? 'diagram wide' : 'diagram' },
    element('pre', { class: 'mermaid', tabindex: '0' }, element('code', {}, source)),
  );
}
