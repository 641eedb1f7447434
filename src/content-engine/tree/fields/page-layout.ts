/**
 * The members of a layout in the order of the API: a part of the page, which is visible by default, or names, the first
 * of which is the default. A mask may have any name.
 */
export const LAYOUT_MEMBERS = {
  width: ['default', 'wide'],
  cover: true,
  coverSize: ['hero', 'full', 'background'],
  coverMask: 'none',
  title: true,
  description: true,
  tableOfContents: true,
  outline: true,
  pagination: true,
  metadata: true,
  tags: true,
  actions: true,
  anchors: true,
} as const;

type Members = typeof LAYOUT_MEMBERS;

/** The visible parts of a page, and its width. */
export type PageLayout = {
  readonly [Name in keyof Members]: Members[Name] extends true
    ? boolean
    : Members[Name] extends readonly (infer Choice)[]
      ? Choice
      : string;
};

const NAMES = Object.keys(LAYOUT_MEMBERS) as (keyof Members)[];

/** The parts of a page that can be hidden. */
export const LAYOUT_PARTS = NAMES.filter((name) => LAYOUT_MEMBERS[name] === true);

const DEFAULT_LAYOUT = Object.fromEntries(
  Object.entries(LAYOUT_MEMBERS).map(([name, member]) => [
    name,
    typeof member === 'object' ? member[0] : member,
  ]),
) as unknown as PageLayout;

export const fullLayout = (layout: Partial<PageLayout> | undefined): PageLayout => ({
  ...DEFAULT_LAYOUT,
  ...layout,
});

/** The stored form of a layout: members that differ from the default. Undefined: none differs. */
export function layoutDifference(layout: Partial<PageLayout>): Partial<PageLayout> | undefined {
  const different = NAMES.filter(
    (name) => layout[name] !== undefined && layout[name] !== DEFAULT_LAYOUT[name],
  );
  if (different.length === 0) return undefined;
  return Object.fromEntries(different.map((name) => [name, layout[name]]));
}
