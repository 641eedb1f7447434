/** The visible parts of a page, and its width. */
export interface PageLayout {
  readonly width: 'default' | 'wide';
  readonly cover: boolean;
  readonly coverSize: 'full' | 'hero' | 'background';
  readonly coverMask: string;
  readonly title: boolean;
  readonly description: boolean;
  readonly tableOfContents: boolean;
  readonly outline: boolean;
  readonly pagination: boolean;
  readonly metadata: boolean;
  readonly tags: boolean;
  readonly actions: boolean;
  readonly anchors: boolean;
}

export const DEFAULT_LAYOUT: PageLayout = {
  width: 'default',
  cover: true,
  coverSize: 'hero',
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
};

export const fullLayout = (layout: Partial<PageLayout> | undefined): PageLayout => ({
  ...DEFAULT_LAYOUT,
  ...layout,
});

/** The stored form of a layout: members that differ from the default. Undefined: none differs. */
export function layoutDifference(layout: Partial<PageLayout>): Partial<PageLayout> | undefined {
  const names = Object.keys(DEFAULT_LAYOUT) as (keyof PageLayout)[];
  const different = names.filter(
    (name) => layout[name] !== undefined && layout[name] !== DEFAULT_LAYOUT[name],
  );
  if (different.length === 0) return undefined;
  return Object.fromEntries(different.map((name) => [name, layout[name]]));
}
