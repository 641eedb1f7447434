/** Formulas of Word documents (OMML), which mammoth leaves out, as TeX. */

interface XmlElement {
  readonly name: string;
  readonly attributes: string;
  readonly children: (XmlElement | string)[];
}

export const INLINE_STYLE = 'OctavoFormula';
export const BLOCK_STYLE = 'OctavoFormulaBlock';

/** The document with each formula as a run of text in a style of its own. */
export function withFormulas(xml: string): string {
  const parts: string[] = [];
  let end = 0;
  for (let start = xml.indexOf(OPENING); start >= 0; start = xml.indexOf(OPENING, end)) {
    const isBlock = xml.startsWith('<m:oMathPara', start);
    const closing = isBlock ? '</m:oMathPara>' : '</m:oMath>';
    const close = xml.indexOf(closing, start);
    if (close < 0) break;
    parts.push(xml.slice(end, start));
    end = close + closing.length;
    parts.push(runOf(xml.slice(start, end), isBlock));
  }
  return parts.join('') + xml.slice(end);
}

const OPENING = '<m:oMath';

function runOf(formula: string, isBlock: boolean): string {
  const tex = texOf(parse(formula)).replace(/\s+/g, ' ').trim();
  if (tex === '') return '';
  const [style, text] = isBlock ? [BLOCK_STYLE, `\\[${tex}\\]`] : [INLINE_STYLE, `\\(${tex}\\)`];
  return `<w:r><w:rPr><w:rStyle w:val="${style}"/></w:rPr><w:t xml:space="preserve">${escape(text)}</w:t></w:r>`;
}

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

const unescape = (text: string): string =>
  text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(\w+));/gi, decodeEntity);

function decodeEntity(entity: string, decimal?: string, hex?: string, name?: string): string {
  if (name !== undefined) return ENTITIES[name] ?? entity;
  const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
  return code <= 0x10ffff ? String.fromCodePoint(code) : '';
}

const TAG = /<(\/?)([\w:]+)((?:\s[^<>]*?)?)(\/?)>|([^<]+)/g;

/** Deeper elements are added to the one at this depth. */
const MAX_DEPTH = 100;

function parse(xml: string): XmlElement {
  const root: XmlElement = { name: '', attributes: '', children: [] };
  const open = [root];
  let skipped = 0;
  for (const [, close, name = '', attributes = '', empty, text] of xml.matchAll(TAG)) {
    const parent = open.at(-1) ?? root;
    if (text !== undefined) parent.children.push(unescape(text));
    else if (close) {
      if (skipped > 0) skipped--;
      else if (open.length > 1) open.pop();
    } else if (open.length >= MAX_DEPTH && !empty) skipped++;
    else {
      const element: XmlElement = { name, attributes, children: [] };
      parent.children.push(element);
      if (!empty) open.push(element);
    }
  }
  return root;
}

const elementsOf = ({ children }: XmlElement, name: string): XmlElement[] =>
  children.filter((child): child is XmlElement => typeof child !== 'string' && child.name === name);

const part = (element: XmlElement, name: string): string => {
  const [found] = elementsOf(element, name);
  return found ? texOf(found).trim() : '';
};

/** `<m:fPr><m:name m:val="…"/></m:fPr>` */
function property(element: XmlElement, name: string): string | undefined {
  for (const child of element.children) {
    if (typeof child === 'string' || !child.name.endsWith('Pr')) continue;
    const [found] = elementsOf(child, name);
    if (found) return unescape(/m:val="([^"]*)"/.exec(found.attributes)?.[1] ?? '');
  }
  return undefined;
}

const SPECIAL = /[#$%&_{}]/g;
const FUNCTIONS =
  /^(?:sin|cos|tan|cot|sec|csc|arcsin|arccos|arctan|sinh|cosh|tanh|log|ln|exp|lim|max|min|sup|inf|det|gcd|arg|dim|ker)$/;
const OPERATORS: Readonly<Record<string, string>> = { '∑': '\\sum', '∏': '\\prod', '∫': '\\int', '∬': '\\iint', '∮': '\\oint', '⋃': '\\bigcup', '⋂': '\\bigcap' }; // prettier-ignore
const ACCENTS: Readonly<Record<string, string>> = { '\u0302': '\\hat', '\u0303': '\\tilde', '\u0305': '\\bar', '\u0304': '\\bar', '\u0307': '\\dot', '\u0308': '\\ddot', '\u20d7': '\\vec' }; // prettier-ignore
const DELIMITERS: Readonly<Record<string, string>> = { '{': '\\{', '}': '\\}', '': '.', '⌊': '\\lfloor', '⌋': '\\rfloor', '⌈': '\\lceil', '⌉': '\\rceil', '‖': '\\|', '〈': '\\langle', '〉': '\\rangle' }; // prettier-ignore

const WRITERS: Readonly<Record<string, (element: XmlElement) => string>> = {
  'm:t': ({ children }) =>
    children.map((child) => (typeof child === 'string' ? literal(child) : '')).join(''),
  'm:f': (element) => `\\frac{${part(element, 'm:num')}}{${part(element, 'm:den')}}`,
  'm:sSup': (element) => `{${part(element, 'm:e')}}^{${part(element, 'm:sup')}}`,
  'm:sSub': (element) => `{${part(element, 'm:e')}}_{${part(element, 'm:sub')}}`,
  'm:sSubSup': (element) =>
    `{${part(element, 'm:e')}}_{${part(element, 'm:sub')}}^{${part(element, 'm:sup')}}`,
  'm:sPre': (element) =>
    `{}_{${part(element, 'm:sub')}}^{${part(element, 'm:sup')}}{${part(element, 'm:e')}}`,
  'm:rad': (element) => {
    const degree = part(element, 'm:deg');
    return `\\sqrt${degree === '' ? '' : `[${degree}]`}{${part(element, 'm:e')}}`;
  },
  'm:nary': (element) => {
    const sign = property(element, 'm:chr') ?? '∫';
    return `${OPERATORS[sign] ?? sign}${limits(element)} ${part(element, 'm:e')}`;
  },
  'm:d': (element) => {
    const [begin, end] = [property(element, 'm:begChr') ?? '(', property(element, 'm:endChr') ?? ')'];
    const separator = property(element, 'm:sepChr') ?? '|';
    const content = elementsOf(element, 'm:e').map((each) => texOf(each).trim());
    return `\\left${DELIMITERS[begin] ?? begin} ${content.join(` ${separator} `)} \\right${DELIMITERS[end] ?? end}`;
  },
  'm:func': (element) => {
    const name = part(element, 'm:fName');
    const spelled = FUNCTIONS.test(name) ? `\\${name}` : name;
    return `${spelled} ${part(element, 'm:e')}`;
  },
  'm:limLow': (element) => `${part(element, 'm:e').replace(FUNCTIONS, '\\$&')}_{${part(element, 'm:lim')}}`,
  'm:limUpp': (element) => `${part(element, 'm:e')}^{${part(element, 'm:lim')}}`,
  'm:acc': (element) =>
    `${ACCENTS[property(element, 'm:chr') ?? '\u0302'] ?? '\\hat'}{${part(element, 'm:e')}}`,
  'm:bar': (element) => `\\overline{${part(element, 'm:e')}}`,
  'm:eqArr': (element) => `\\begin{aligned} ${rowsOf(elementsOf(element, 'm:e'))} \\end{aligned}`,
  'm:m': (element) =>
    `\\begin{matrix} ${elementsOf(element, 'm:mr')
      .map((row) =>
        elementsOf(row, 'm:e')
          .map((each) => texOf(each).trim())
          .join(' & '),
      )
      .join(' \\\\ ')} \\end{matrix}`,
};

const rowsOf = (rows: readonly XmlElement[]): string => rows.map((row) => texOf(row).trim()).join(' \\\\ ');

function limits(element: XmlElement): string {
  const [sub, sup] = [part(element, 'm:sub'), part(element, 'm:sup')];
  return (sub === '' ? '' : `_{${sub}}`) + (sup === '' ? '' : `^{${sup}}`);
}

const literal = (text: string): string =>
  text.replaceAll('\\', '\\backslash ').replace(SPECIAL, '\\$&').replaceAll('\u2061', '');

/** Properties have no text of their own; what has no writer is its content. */
function texOf(element: XmlElement): string {
  const writer = WRITERS[element.name];
  if (writer) return writer(element);
  if (element.name.endsWith('Pr')) return '';
  return element.children.map((child) => (typeof child === 'string' ? '' : texOf(child))).join('');
}
