/** The members of mammoth's documents that are read here. */
export interface DocxElement {
  readonly type: string;
  readonly children?: readonly DocxElement[];
  readonly value?: string;
  readonly styleName?: string | null;
  readonly numbering?: unknown;
  readonly font?: string | null;
}

const MONOSPACED = /courier|consolas|menlo|monaco|\bmono\b|\bcode\b|lucida console/i;

/** Paragraphs with another style, such as headings, keep it. */
const PLAIN = /^(?:normal|standard|body text|no spacing|list paragraph)$/i;

const CODE = { styleId: 'Code', styleName: 'Code' };

/** Text in a monospaced font is code: Word and Google Docs have no style for it. */
export function markCode(element: DocxElement): DocxElement {
  if (element.type === 'paragraph') return withCodeRuns(element);
  if (!element.children) return element;
  const isCell = element.type === 'tableCell';
  const children = element.children.map((child) =>
    !isCell && isCodeParagraph(child) ? { ...child, ...CODE } : markCode(child),
  );
  return { ...element, children: withBlankLines(children) };
}

function isCodeParagraph(element: DocxElement): boolean {
  if (element.type !== 'paragraph' || element.numbering) return false;
  if (element.styleName && !PLAIN.test(element.styleName)) return false;
  const runs = runsIn(element).filter((run) => textOf(run).trim() !== '');
  return runs.length > 0 && runs.every(isMonospaced);
}

const isMonospaced = ({ font }: DocxElement): boolean => MONOSPACED.test(font ?? '');

const runsIn = (element: DocxElement): DocxElement[] =>
  element.type === 'run' ? [element] : (element.children ?? []).flatMap(runsIn);

const textOf = ({ value, children = [] }: DocxElement): string => value ?? children.map(textOf).join('');

const withCodeRuns = (element: DocxElement): DocxElement => {
  if (element.type === 'run') return isMonospaced(element) ? { ...element, ...CODE } : element;
  return element.children ? { ...element, children: element.children.map(withCodeRuns) } : element;
};

/** An empty paragraph between two of code is an empty line. mammoth leaves out paragraphs without text. */
const withBlankLines = (elements: readonly DocxElement[]): DocxElement[] =>
  elements.map((element, index) => {
    const isBetween = isCode(elements[index - 1]) && isCode(elements[index + 1]);
    const isEmpty = element.type === 'paragraph' && textOf(element) === '';
    return isBetween && isEmpty ? { ...element, ...CODE, children: [INVISIBLE] } : element;
  });

const isCode = (element: DocxElement | undefined): boolean => element?.styleName === CODE.styleName;

/** Removed when the HTML is converted. */
const INVISIBLE: DocxElement = { type: 'text', value: '\u200b' };
