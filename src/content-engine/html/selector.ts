import { attribute, find, findAll, hasClass, parentOf, type Element, type Parent } from './dom.ts';

/**
 * A part of CSS, enough to name the elements of a generator: `tag.class#id[name]`, `[name=value]`, `[name^=value]`,
 * `[name*=value]` (both regardless of case), and descendants by a space.
 */
export type Selector = string;

type Test = (element: Element) => boolean;

const PART = /([#.]?)([\w-]+)|\[([\w-]+)(?:([\^*]?)=([^\]]*))?\]/g;

interface Compiled {
  readonly own: Test;
  /** The tests of ancestors, innermost first. */
  readonly outer: readonly Test[];
}

const compiled = new Map<Selector, Compiled>();

function testsOf(selector: Selector): Compiled {
  let tests = compiled.get(selector);
  if (!tests) {
    const [own = () => false, ...outer] = selector.split(' ').map(compoundTest).toReversed();
    tests = { own, outer };
    compiled.set(selector, tests);
  }
  return tests;
}

function compoundTest(compound: string): Test {
  const tests = Array.from(compound.matchAll(PART), ([, sign, name = '', key, operator, value]): Test => {
    if (key !== undefined) return attributeTest(key, operator ?? '', value);
    if (sign === '.') return (element) => hasClass(element, name);
    if (sign === '#') return (element) => attribute(element, 'id') === name;
    return ({ tagName }) => tagName === name;
  });
  const [only, ...more] = tests;
  return only && more.length === 0 ? only : (element) => tests.every((test) => test(element));
}

function attributeTest(name: string, operator: string, value: string | undefined): Test {
  if (value === undefined) return (element) => attribute(element, name) !== undefined;
  const wanted = value.toLowerCase();
  return (element) => {
    const found = attribute(element, name)?.toLowerCase();
    if (found === undefined) return false;
    if (operator === '^') return found.startsWith(wanted);
    return operator === '*' ? found.includes(wanted) : found === wanted;
  };
}

export function matches(element: Element, selector: Selector): boolean {
  const { own, outer } = testsOf(selector);
  if (!own(element)) return false;
  let ancestor = parentOf(element);
  for (const test of outer) {
    while (ancestor && !test(ancestor)) ancestor = parentOf(ancestor);
    if (!ancestor) return false;
    ancestor = parentOf(ancestor);
  }
  return true;
}

export const matchesAny = (element: Element, selectors: readonly Selector[]): boolean =>
  selectors.some((selector) => matches(element, selector));

export const select = (parent: Parent, selector: Selector): Element | undefined =>
  find(parent, (element) => matches(element, selector));

export const selectAll = (parent: Parent, selector: Selector): Element[] =>
  findAll(parent, (element) => matches(element, selector));
