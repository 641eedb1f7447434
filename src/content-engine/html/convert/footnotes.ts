import type { BlockNode } from '../../document/index.ts';
import {
  attribute,
  classesOf,
  elementsIn,
  findAll,
  findOuter,
  parentOf,
  textOf,
  type ChildNode,
  type Element,
} from '../dom.ts';
import { isFootnotes } from '../main-content/roles.ts';
import type { BlockConverter, Conversion, Footnotes } from './context.ts';
import { filled, listItem, unorderedList } from './nodes.ts';

/** Characters of a note that is shown more than once. */
const MAX_REPEATED = 500;

export function footnotesIn(main: Element): Footnotes {
  const notes = new Map<string, Element>();
  const containers = new Map<Element, Element[]>();
  for (const container of findOuter(main, isFootnotes)) {
    const own = notesIn(container);
    if (own.length > 0)
      containers.set(
        container,
        own.map(({ element }) => element),
      );
    for (const { id, element } of own) if (!notes.has(id)) notes.set(id, element);
  }
  for (const { id, element } of googleNotes(main)) {
    notes.set(id, element);
    containers.set(element, [element]);
  }
  const referenced = new Set<Element>();
  if (notes.size > 0)
    for (const link of findAll(main, ({ tagName }) => tagName === 'a')) {
      const note = notes.get(fragmentOf(link));
      if (note && isReference(link)) referenced.add(note);
    }
  let isInNote = false;
  const bodies = new Map<Element, { readonly nodes: BlockNode[]; readonly isLong: boolean }>();
  /** A note that is referred to again is repeated, unless it is long: a page could grow to any size. */
  const bodyAt = (note: Element, conversion: Conversion): BlockNode[] => {
    const known = bodies.get(note);
    if (known) return known.isLong ? [] : known.nodes;
    isInNote = true;
    const nodes = bodyOf(note, conversion);
    isInNote = false;
    bodies.set(note, { nodes, isLong: textOf(note).length > MAX_REPEATED });
    return nodes;
  };
  return {
    annotation(link, conversion) {
      const note = notes.get(fragmentOf(link));
      if (isBackReference(link)) return null;
      if (!note || !isReference(link)) return undefined;
      if (isInNote) return null;
      const nodes = bodyAt(note, conversion);
      if (nodes.length === 0) return null;
      return {
        object: 'inline',
        type: 'annotation',
        isVoid: false,
        nodes: [],
        fragments: [{ object: 'fragment', type: 'annotation-body', nodes }],
      };
    },
    unreferenced: (element) => containers.get(element)?.filter((note) => !referenced.has(note)),
  };
}

interface Note {
  readonly id: string;
  readonly element: Element;
}

/** Items of a list, paragraphs or definitions with an id; Docutils makes each note an element of its own. */
function notesIn(container: Element): Note[] {
  const own = attribute(container, 'id');
  if (container.tagName === 'aside' && own !== undefined) return [{ id: own, element: container }];
  if (container.tagName === 'dl') return definedNotes(container);
  return findOuter(
    container,
    (one) => /^(?:li|aside|p|div)$/.test(one.tagName) && attribute(one, 'id') !== undefined,
  ).map((element) => ({ id: attribute(element, 'id') ?? '', element }));
}

/** Google Docs: paragraphs that begin with a link back to the reference. */
const googleNotes = (main: Element): Note[] =>
  findAll(main, (one) => /^ftnt\d+$/.test(attribute(one, 'id') ?? '')).flatMap((link) => {
    const element = parentOf(link);
    return element?.tagName === 'p' ? [{ id: attribute(link, 'id') ?? '', element }] : [];
  });

/** `<dt id>`, `<dd>`. */
function definedNotes(list: Element): Note[] {
  const notes: Note[] = [];
  let id: string | undefined;
  for (const child of elementsIn(list)) {
    if (child.tagName === 'dt') id = attribute(child, 'id');
    else if (child.tagName === 'dd' && id !== undefined) notes.push({ id, element: child });
  }
  return notes;
}

const fragmentOf = (link: Element): string => {
  const href = attribute(link, 'href') ?? '';
  return href.startsWith('#') ? href.slice(1) : '';
};

const REFERENCE = /^(?:footnote-ref|footnote-reference|footnote|reference|noteref)$/;

function isReference(link: Element): boolean {
  if (attribute(link, 'role') === 'doc-noteref' || attribute(link, 'data-footnote-ref') !== undefined)
    return true;
  const parent = parentOf(link);
  return (
    parent?.tagName === 'sup' ||
    elementsIn(link).some(({ tagName }) => tagName === 'sup') ||
    [...classesOf(link), ...(parent ? classesOf(parent) : [])].some((name) => REFERENCE.test(name))
  );
}

const BACK =
  /^(?:footnote-backref|fn-backref|data-footnote-backref|mw-cite-backlink|footnote-back|reversefootnote)$/;

const isBackReference = (link: Element): boolean =>
  attribute(link, 'role') === 'doc-backlink' ||
  attribute(link, 'data-footnote-backref') !== undefined ||
  classesOf(link).some((name) => BACK.test(name)) ||
  /^#(?:fnref|footnote-ref|endnote-ref|cite_ref|ftnt_ref|user-content-fnref)/.test(
    attribute(link, 'href') ?? '',
  );

const LABEL = /^(?:label|fn-bracket|mw-cite-backlink|backrefs)$/;

const bodyOf = (note: Element, conversion: Conversion): BlockNode[] =>
  filled(conversion.inner(note.childNodes.filter((node) => !isLabel(node))));

const isLabel = (node: ChildNode): boolean =>
  'tagName' in node && classesOf(node).some((name) => LABEL.test(name));

/** The place of the notes: those without a reference are listed there. */
export const convertFootnotes: BlockConverter = (element, conversion) => {
  const left = conversion.footnotes.unreferenced(element);
  if (!left) return undefined;
  const items = left.map((note) => bodyOf(note, conversion)).filter((nodes) => nodes.length > 0);
  return items.length === 0 ? [] : [unorderedList(items.map((nodes) => listItem(nodes)))];
};
