import type { Mark } from '../../document/index.ts';
import { attribute, classesOf, findAll, sourceOf, type Document, type Element } from '../dom.ts';
import { MAX_STYLE } from '../limits.ts';
import type { GeneratorHints } from '../generators/hints.ts';
import { mark } from './nodes.ts';

/** The marks that styles give an element. */
export type StyleMarks = (element: Element) => readonly Mark[];

const RULE = /\.([\w-]+)\s*\{([^{}]*)\}/g;

/** Marks by `style` attributes of spans and, for generators that style text so, by the classes that the page declares. */
export function styleMarksOf(document: Document, { hasStyleClasses }: GeneratorHints): StyleMarks {
  const byClass = new Map<string, readonly Mark[]>();
  if (hasStyleClasses === true) {
    for (const style of findAll(document, ({ tagName }) => tagName === 'style'))
      for (const [, name = '', rules = ''] of sourceOf(style).slice(0, MAX_STYLE).matchAll(RULE)) {
        const marks = marksIn(rules);
        if (marks.length > 0) byClass.set(name, marks);
      }
  }
  return (element) => {
    if (element.tagName !== 'span') return [];
    const style = attribute(element, 'style');
    const own = style === undefined ? [] : marksIn(style);
    return byClass.size === 0
      ? own
      : [...own, ...classesOf(element).flatMap((name) => byClass.get(name) ?? [])];
  };
}

function marksIn(rules: string): Mark[] {
  const marks: Mark[] = [];
  if (/font-weight\s*:\s*(?:bold|[6-9]00)/i.test(rules)) marks.push(mark('bold'));
  if (/font-style\s*:\s*italic/i.test(rules)) marks.push(mark('italic'));
  if (/text-decoration[\w-]*\s*:[^;]*line-through/i.test(rules)) marks.push(mark('strikethrough'));
  if (/vertical-align\s*:\s*super/i.test(rules)) marks.push(mark('superscript'));
  if (/vertical-align\s*:\s*sub(?!p|e)/i.test(rules)) marks.push(mark('subscript'));
  return marks;
}
