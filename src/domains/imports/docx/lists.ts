import type { DocxElement } from './code.ts';

/**
 * mammoth forgets the numbers of list items, so that a list that a paragraph interrupts begins again. Items are marked with their
 * numbers, which become `start` of their lists.
 */

interface Level {
  readonly isOrdered: boolean;
  /** A digit. */
  readonly level: string;
}

const NUMBER = /\uE000\d+\uE001/g;
const FIRST_NUMBER = /<ol><li>\uE000(\d+)\uE001/g;

const mark = (number: number): DocxElement => ({ type: 'text', value: `\uE000${number}\uE001` });

/** Marks the items of ordered lists. Paragraphs of one list have the same value of `numbering`. */
export function markNumbers(document: DocxElement): DocxElement {
  const counts = new Map<Level, number>();
  const visit = (element: DocxElement): DocxElement => {
    const level = element.type === 'paragraph' ? (element.numbering as Level | null | undefined) : undefined;
    if (!level) return element.children ? { ...element, children: element.children.map(visit) } : element;
    // An item of a list above ends the lists below it.
    for (const other of counts.keys()) if (other.level > level.level) counts.delete(other);
    if (!level.isOrdered) return element;
    const number = (counts.get(level) ?? 0) + 1;
    counts.set(level, number);
    return { ...element, children: [mark(number), ...(element.children ?? [])] };
  };
  return visit(document);
}

/** The HTML of a marked document, with the numbers of lists that begin later than 1. */
export const withStarts = (html: string): string =>
  html
    .replace(FIRST_NUMBER, (_all, number: string) =>
      number === '1' ? '<ol><li>' : `<ol start="${number}"><li>`,
    )
    .replace(NUMBER, '');

const MAX_OVERRIDES = 1000;
const END = '</w:num>';

/**
 * Numbering definitions in which each list that restarts its numbers has its own levels: mammoth continues the numbers of the
 * list that has the same definition.
 */
export function withOwnLevels(numbering: string): string {
  if (!numbering.includes('<w:startOverride')) return numbering;
  const levels = levelsOf(numbering);
  const added: string[] = [];
  const parts = numbering.split(END).map((part) => {
    const start = part.lastIndexOf('<w:num ');
    const num = start < 0 ? '' : part.slice(start);
    const shared = /<w:abstractNumId w:val="([^"<>]*)"/.exec(num);
    const own = levels.get(shared?.[1] ?? '');
    if (!shared || !own || !num.includes('<w:startOverride') || added.length >= MAX_OVERRIDES) return part;
    const id = `own-${added.length}`;
    added.push(`<w:abstractNum w:abstractNumId="${id}">${[...own.values()].join('')}</w:abstractNum>`);
    return part.slice(0, start) + num.replace(shared[0], `<w:abstractNumId w:val="${id}"`);
  });
  return parts.join(END).replace('</w:numbering>', `${added.join('')}</w:numbering>`);
}

/** The formats of the nine levels, by the id of their definition. */
function levelsOf(numbering: string): Map<string, Map<string, string>> {
  const levels = new Map<string, Map<string, string>>();
  let id = '';
  let level = '';
  for (const [tag, name] of numbering.matchAll(/<w:(abstractNum|lvl|numFmt)\s[^<>]*>/g)) {
    const value = /(?:abstractNumId|ilvl|val)="([^"<>]*)"/.exec(tag)?.[1] ?? '';
    if (name === 'abstractNum') id = value;
    else if (name === 'lvl') level = value;
    else if (/^[0-8]$/.test(level)) {
      const own = levels.get(id) ?? new Map<string, string>();
      if (!own.has(level)) own.set(level, `<w:lvl w:ilvl="${level}"><w:numFmt w:val="${value}"/></w:lvl>`);
      levels.set(id, own);
    }
  }
  return levels;
}
