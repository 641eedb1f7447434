import {
  attribute,
  classesOf,
  eachNode,
  find,
  findOuter,
  isText,
  rawText,
  sourceOf,
  type ChildNode,
  type Element,
} from '../dom.ts';
import type { BlockConverter, Conversion } from './context.ts';

/** Formulas: KaTeX, MathJax, MathML, and TeX between delimiters. */

const CONTAINER = /^(?:katex|katex-display|math|arithmatex|mwe-math-element|mathjax-inline|mathjax-block)$/;

/** Renderers use fewer. Each level searches the elements inside of it for TeX. */
const MAX_CONTAINERS = 4;

/** The elements that may be formulas by their class, up to MAX_CONTAINERS inside each other. */
export function findFormulaContainers(main: Element): ReadonlySet<Element> {
  const found = new Set<Element>();
  let outer = findOuter(main, isContainer);
  for (let level = 0; level < MAX_CONTAINERS; level++) {
    outer = outer.flatMap((one) => {
      const inner = findOuter(one, isContainer);
      // Text beside a formula is not part of it.
      if (inner.length === 0 || !hasTextBeside(one, new Set(inner))) found.add(one);
      return inner;
    });
  }
  return found;
}

function hasTextBeside(element: Element, inner: ReadonlySet<ChildNode>): boolean {
  let isFound = false;
  eachNode(element, (node) => {
    isFound ||= isText(node) && node.value.trim() !== '';
    return !isFound && !inner.has(node);
  });
  return isFound;
}

const isContainer = (element: Element): boolean => classesOf(element).some((name) => CONTAINER.test(name));

/** TeX of an element that is a formula; empty: one without TeX; undefined: no formula. */
export function formulaOf(element: Element, { formulaContainers }: Conversion): string | undefined {
  const { tagName } = element;
  if (tagName === 'script')
    return attribute(element, 'type')?.startsWith('math/tex') === true ? tidy(sourceOf(element)) : undefined;
  if (tagName === 'mjx-container') return tidy(attribute(element, 'data-tex') ?? texIn(element) ?? '');
  if (tagName === 'math') return tidy(attribute(element, 'alttext') ?? texIn(element) ?? rawText(element));
  if (tagName === 'annotation') return '';
  const classes = classesOf(element);
  if (classes.includes('MathJax_Preview') || classes.includes('MathJax')) return '';
  if (
    classes.includes('mwe-math-fallback-image-inline') ||
    classes.includes('mwe-math-fallback-image-display')
  )
    return tidy(attribute(element, 'alt') ?? '');
  if (!formulaContainers.has(element)) return undefined;
  return tidy(texIn(element) ?? delimited(rawText(element)) ?? '') || undefined;
}

/** The source that renderers put beside their output. */
function texIn(element: Element): string | undefined {
  const found = find(
    element,
    (one) => one.tagName === 'annotation' && attribute(one, 'encoding') === 'application/x-tex',
  );
  if (found) return rawText(found);
  const script = find(element, (one) => attribute(one, 'type')?.startsWith('math/tex') === true);
  if (script) return sourceOf(script);
  const image = find(element, (one) => one.tagName === 'img' && attribute(one, 'alt') !== undefined);
  return image && attribute(image, 'alt');
}

const DELIMITED = /^\s*(?:\\\[([\s\S]*)\\\]|\\\(([\s\S]*)\\\)|\$\$([\s\S]*)\$\$|\$([\s\S]*)\$)\s*$/;

function delimited(text: string): string | undefined {
  const found = DELIMITED.exec(text);
  return found ? (found[1] ?? found[2] ?? found[3] ?? found[4]) : undefined;
}

/** Neither blank lines nor dollars, which would end the formula. MediaWiki wraps TeX in a style. */
const tidy = (tex: string): string =>
  tex
    .replace(/^\s*\{\\(?:displaystyle|textstyle) ([\s\S]*)\}\s*$/, '$1')
    .replaceAll('$', '')
    .replace(/(?<!\s)\s*\n\s*/g, '\n')
    .trim();

/** A formula on lines of its own. */
export const convertMath: BlockConverter = (element, conversion) => {
  const { tagName } = element;
  const classes = classesOf(element);
  const isDisplayed =
    classes.includes('katex-display') ||
    (tagName === 'script' && /mode=display/.test(attribute(element, 'type') ?? '')) ||
    (tagName === 'mjx-container' && attribute(element, 'display') === 'true') ||
    (tagName === 'math' && attribute(element, 'display') === 'block') ||
    classes.includes('display') ||
    tagName === 'div';
  const formula = isDisplayed ? formulaOf(element, conversion) : undefined;
  if (formula === undefined) return undefined;
  return formula === '' ? [] : [{ object: 'block', type: 'math', data: { formula }, isVoid: true }];
};
