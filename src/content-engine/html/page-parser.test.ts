import fc from 'fast-check';
import { serialize } from 'parse5';
import { describe, expect, it } from 'vitest';
import { eachNode, find, isElement, type Document, type Element } from './dom.ts';
import { PageParser, parseHtml } from './page-parser.ts';

const entries = (from: number, to: number, active?: number): string =>
  Array.from({ length: to - from }, (_each, index) => {
    const at = from + index;
    return `<li class="${at === active ? 'item active' : 'item'}"><a href="/docs/page-${at}">Page ${at}</a></li>`;
  }).join('');

const page = (title: string, navigation: string, text = `<p>About ${title}`): string =>
  `<!doctype html><title>${title}</title><body><div><header>Site</header><nav><ul>${navigation}</ul></nav>` +
  `<main><h1>${title}</h1>${text}</main><footer>End</footer></div>`;

const byTag = (document: Document, tagName: string): Element => {
  const found = find(document, (element) => element.tagName === tagName);
  if (!found) throw new Error(`There is no <${tagName}>`);
  return found;
};

/** The facts that the conversion reads: the nodes, their parents, their depth. */
function factsOf(document: Document): readonly unknown[] {
  const facts: unknown[] = [serialize(document)];
  eachNode(document, (node) => {
    const parent = node.parentNode;
    const isChild = parent !== null && parent.childNodes.includes(node);
    if (!isChild) facts.push(`${node.nodeName} is not a child of its parent`);
    if (isElement(node)) facts.push(node.depth);
  });
  return facts;
}

describe('pages of one website', () => {
  it('share the nodes of their navigation', () => {
    const parser = new PageParser();
    const first = parser.parse(page('A', entries(0, 40)));
    const navigation = byTag(first, 'nav');
    parser.release([byTag(first, 'main')]);
    const second = parser.parse(page('B', entries(0, 40)));
    expect(byTag(second, 'nav')).toBe(navigation);
    expect(factsOf(second)).toEqual(factsOf(parseHtml(page('B', entries(0, 40)))));
  });

  it('share the entries around the one that differs', () => {
    const parser = new PageParser();
    const first = parser.parse(page('A', entries(0, 40, 3)));
    const list = byTag(first, 'ul').childNodes;
    parser.release([byTag(first, 'main')]);
    const text = page('B', entries(0, 40, 20));
    const second = parser.parse(text);
    const shared = byTag(second, 'ul').childNodes.filter((node) => list.includes(node));
    expect(shared.length).toBeGreaterThan(20);
    expect(factsOf(second)).toEqual(factsOf(parseHtml(text)));
  });

  it('do not share what was changed', () => {
    const parser = new PageParser();
    const text = page('A', entries(0, 40), entries(0, 40));
    const first = parser.parse(text);
    const main = byTag(first, 'main');
    byTag(first, 'h1').attrs = [{ name: 'id', value: 'a' }];
    main.childNodes = main.childNodes.slice(0, 20);
    parser.release([main]);
    expect(factsOf(parser.parse(text))).toEqual(factsOf(parseHtml(text)));
  });

  it('do not share with a page that failed, or that changed shared nodes', () => {
    const parser = new PageParser();
    const text = page('A', entries(0, 40));
    parser.release([byTag(parser.parse(text), 'main')]);
    byTag(parser.parse(text), 'nav').childNodes = [];
    // Not released.
    const third = parser.parse(text);
    expect(factsOf(third)).toEqual(factsOf(parseHtml(text)));
    parser.release([byTag(third, 'main')]);
    const fourth = parser.parse(text);
    byTag(fourth, 'ul').childNodes = [];
    parser.release([byTag(fourth, 'body')]);
    expect(factsOf(parser.parse(text))).toEqual(factsOf(parseHtml(text)));
  });

  it('have the budget of a page each, with or without shared nodes', () => {
    const parser = new PageParser();
    const many = '<i></i>'.repeat(60_000);
    parser.release([byTag(parser.parse(page('A', many)), 'main')]);
    expect(() => parser.parse(page('B', many, '<b></b>'.repeat(100_000)))).toThrow('has more than 150,000');
  });
});

const NAMES = ['div', 'p', 'ul', 'li', 'a', 'b', 'table', 'tr', 'td', 'form', 'select', 'option', 'button', 'template', 'svg', 'foreignObject', 'body', 'html', 'pre', 'textarea', 'dd', 'main', 'x-y', 'script', 'nobr', 'caption', 'frameset']; // prettier-ignore
const name = fc.constantFrom(...NAMES);
const token = fc.oneof(
  { weight: 4, arbitrary: name.map((one) => `<${one}>`) },
  { weight: 4, arbitrary: name.map((one) => `</${one}>`) },
  name.map((one) => `<${one} class="${one}" id=1 />`),
  fc.constantFrom('text', ' ', '\n', '\r\n', '&amp;', '😀', '<!-- c -->', '\0', '<br>', '<img>', '</br>'),
);
const soup = fc.array(token, { maxLength: 12 }).map((tokens) => tokens.join(''));
/** Long enough to be recognised, from each of its first tags. */
const long = fc
  .tuple(soup, fc.integer({ min: 1, max: 12 }))
  .map(([text, times]) => `<div>${text}<p>Some text that is repeated</p></div>`.repeat(times));

it('a page is the same document after any other page', () => {
  const parts = fc.array(fc.oneof(soup, long), { minLength: 1, maxLength: 6 });
  const pages = parts.chain((common) =>
    fc.array(
      fc.tuple(soup, soup).map(([start, end]) => `text${start}${common.join(start)}${end}${common.join('')}`),
      { minLength: 2, maxLength: 4 },
    ),
  );
  fc.assert(
    fc.property(pages, fc.boolean(), (texts, isChanged) => {
      const parser = new PageParser();
      for (const text of texts) {
        const document = parser.parse(text);
        expect(factsOf(document)).toEqual(factsOf(parseHtml(text)));
        const main = find(document, ({ tagName }) => tagName === 'main');
        const changed = isChanged && main ? [main] : [];
        for (const element of changed) element.childNodes = [];
        parser.release(changed);
      }
    }),
    { numRuns: 500 },
  );
});
