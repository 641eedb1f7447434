import { composed, passagesOf } from '../../content-engine/search/index.ts';

export interface IndexedPage {
  readonly id: string;
  readonly title: string;
  /** The label in navigation, if it differs from the title. */
  readonly label?: string | undefined;
  readonly description?: string | undefined;
  readonly path: string;
  /**
   * Read when the page is indexed: those of thousands of pages are large. Undefined: the text did not change, only title, label,
   * description or path.
   */
  readonly readSections?: () => readonly IndexedSection[];
}

export interface IndexedSection {
  /** The anchor of its heading; undefined at the beginning of a page. */
  readonly id: string | undefined;
  readonly title: string;
  readonly level: number;
  readonly text: string;
}

export type StoredSection = Omit<IndexedSection, 'level'>;

/** A page whose head is reduced to what the database can store. Its sections are as they were given. */
export interface StorablePage extends IndexedPage {
  readonly label: string;
  readonly description: string;
}

/** A section is a row. A page with more headings has several of them in one row. */
const MAX_SECTIONS = 1000;
/** The rest of a longer heading is indexed as text, because the heading is stored with every piece of its section. */
const MAX_HEADING = 500;

/** Results of a section with a longer anchor lead to its page, for the same reason. */
const MAX_ANCHOR = 1100;

/** Composed, so that matches are found in the excerpts, too. */
export const storablePage = ({
  title,
  label = '',
  description = '',
  path,
  ...page
}: IndexedPage): StorablePage => ({
  ...page,
  title: composed(title),
  label: composed(label),
  description: composed(description),
  path: composed(path),
});

/**
 * Reduces sections to what the database can store, composed as well. A long section becomes several with the same heading.
 */
export function storableSections(sections: readonly StoredSection[]): StoredSection[] {
  const storable: StoredSection[] = [];
  for (const { id: anchor, title, text } of joined(sections)) {
    const id = anchor !== undefined && anchor.length > MAX_ANCHOR ? undefined : anchor;
    const heading = composed(title.slice(0, MAX_HEADING));
    const rest = title.slice(MAX_HEADING);
    for (const piece of passagesOf(rest ? `${rest}\n${text}` : text)) {
      // Composed piece by piece, because composing a long text takes long.
      for (const short of passagesOf(composed(piece))) storable.push({ id, title: heading, text: short });
    }
  }
  return storable;
}

/** Neighbouring sections are joined where there are too many; all headings but the first become text. */
function joined(sections: readonly StoredSection[]): readonly StoredSection[] {
  const group = Math.ceil(sections.length / MAX_SECTIONS);
  if (group <= 1) return sections;
  const few: StoredSection[] = [];
  for (let at = 0; at < sections.length; at += group) {
    const [first, ...others] = sections.slice(at, at + group);
    if (!first) continue;
    const more = others.map(({ title, text }) => `\n${title}\n${text}`).join('');
    few.push({ ...first, text: first.text + more });
  }
  return few;
}
