import { attribute, classesOf, elementsIn, hasClass, parentOf, type Element } from '../dom.ts';
import type { GeneratorHints } from '../generators/hints.ts';
import { matchesAny } from '../selector.ts';

/** The role of an element, for the removal of page chrome and the conversion of text. */

const ADMONITION =
  /^(?:admonition|theme-admonition|alert|custom-block|custom-container|hint-container|callout|markdown-alert|confluence-information-macro|mw-message-box|hint|docs-callout|pageinfo)$/;

export function isAdmonition(element: Element, { admonitions = [] }: GeneratorHints): boolean {
  const { tagName } = element;
  if (tagName === 'details' || tagName === 'span' || tagName === 'a') return false;
  if (classesOf(element).some((name) => ADMONITION.test(name))) return true;
  const role = attribute(element, 'role');
  if ((role === 'note' || role === 'alert') && /^(?:div|aside|section|p)$/.test(tagName)) return true;
  return attribute(element, 'data-callout-type') !== undefined || matchesAny(element, admonitions);
}

export const isTabList = (element: Element): boolean =>
  attribute(element, 'role') === 'tablist' || hasClass(element, 'nav-tabs');

export const isTabPanel = (element: Element): boolean =>
  attribute(element, 'role') === 'tabpanel' || hasClass(element, 'tab-pane');

/** Elements that hold labels and panels, and know each other by order. */
const TAB_SET = /^(?:tabbed-set|sd-tab-set|vp-code-group|code-group|CodeTabs|sphinx-tabs)$/;
export const isTabSet = (element: Element): boolean => classesOf(element).some((name) => TAB_SET.test(name));

const TAB_PART = /^(?:tabbed-(?:labels|content|block)|sd-tab-(?:label|content)|CodeTabs-(?:toolbar|inner))$/;

/** Labels are buttons, and panels but one are hidden: neither makes them chrome. */
export function isTabPart(element: Element): boolean {
  const { tagName } = element;
  if (attribute(element, 'role') === 'tab' || isTabList(element) || isTabPanel(element)) return true;
  if (classesOf(element).some((name) => TAB_PART.test(name))) return true;
  if (tagName !== 'button' && tagName !== 'pre' && tagName !== 'div') return false;
  const parent = parentOf(element);
  return parent !== undefined && classesOf(parent).some((name) => TAB_PART.test(name) || name === 'blocks');
}

const FOOTNOTES = /^(?:footnotes|footnote|footnote-list|references|mw-references-wrap)$/;

/** mammoth writes the notes of Word documents as a list without a class. */
const NOTE_ID = /^(?:foot|end)note-\d+$/;

/** An element that holds footnotes, or one of them. */
export function isFootnotes(element: Element): boolean {
  const { tagName } = element;
  const [first] = tagName === 'ol' ? elementsIn(element) : [];
  if (first && NOTE_ID.test(attribute(first, 'id') ?? '')) return true;
  if (attribute(element, 'role') === 'doc-endnotes' || attribute(element, 'data-footnotes') !== undefined)
    return true;
  return (
    /^(?:section|div|aside|ol|ul|dl)$/.test(tagName) &&
    classesOf(element).some((name) => FOOTNOTES.test(name))
  );
}
