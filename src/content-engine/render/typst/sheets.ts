import { emojiText } from '../../document/index.ts';
import type { BookPage, Place, Sheet } from './book.ts';
import { oneLine, short, words } from './literal.ts';
import type { Context } from './context.ts';
import { portionsOf } from './portions.ts';

/** Characters of markup from reusable content, per page. */
const MAX_INCLUDED_MARKUP = 4_000_000;
/** Characters of markup, and images, after which a page continues on a new sheet. The compiler handles one at a time. */
const MAX_SHEET_MARKUP = 80_000;
const MAX_SHEET_IMAGES = 15;
/** The least that a block, an item or a cell counts. */
const MARKUP_PER_ITEM = 20;

/** The part of the context that all sheets share. */
export type Common = Omit<Context, 'page' | 'room' | 'addPlace'>;

/** Pages that share a sheet: groups, and the page below them. Several sheets where the page is long. */
export function sheetsOf(common: Common, pages: readonly BookPage[]): Sheet[] {
  const last = pages.at(-1) as BookPage;
  const sheets: Sheet[] = [];
  let parts: string[] = [];
  let places: Place[] = [];
  let files = new Set<string>();
  let length = 0;

  const contextOf = (page: BookPage, room: { included: number }): Context => ({
    ...common,
    page,
    room,
    addPlace: (place) => places.push(place),
    picture(ref) {
      const path = common.picture(ref);
      if (path !== undefined) files.add(path);
      return path;
    },
  });
  /** Finishes the sheet before a part is typeset, because typesetting records places and images. */
  const add = (typeset: () => string, items = 1) => {
    if (length > MAX_SHEET_MARKUP || files.size >= MAX_SHEET_IMAGES) finish();
    const part = typeset();
    parts.push(part);
    length += Math.max(part.length, items * MARKUP_PER_ITEM);
  };
  const finish = () => {
    const target = sheets.length === 0 ? `<${common.labels.ofPage(last.id)}>` : 'none';
    const markup = `#sheet([${words(short(last.title))}], ${target})[\n${parts.join('\n')}\n]`;
    sheets.push({ name: last.title, markup, files: [...files], places });
    [parts, places, files, length] = [[], [], new Set(), 0];
  };

  for (const page of pages) {
    const context = contextOf(page, { included: MAX_INCLUDED_MARKUP });
    add(() => titleOf(context));
    for (const block of page.document?.nodes ?? [])
      for (const portion of portionsOf(block)) add(() => portion.typeset(context), portion.items);
  }
  finish();
  return sheets;
}

function titleOf({ page, labels, addPlace }: Context): string {
  const withEmoji = (name: string) => oneLine(`${emojiText(page.emoji ?? '')} ${name}`);
  const label = labels.place(page) ?? labels.next();
  const level = page.depth + 1;
  addPlace({ label, title: withEmoji(page.linkTitle ?? page.title), level, inContents: true });
  const title = words(withEmoji(page.title));
  const heading = `#${page.document ? 'page-title' : 'group-title'}(${level}, <${label}>)[${title}]`;
  const isDescribed = page.document && page.description;
  return isDescribed ? `${heading}\n#page-description[${words(page.description ?? '')}]` : heading;
}
