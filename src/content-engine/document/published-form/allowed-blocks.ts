/** The blocks that the published schema (version 0.143.2) allows in each container. Other containers take any block. */

const ESSENTIALS = [
  'paragraph',
  'heading-1',
  'heading-2',
  'heading-3',
  'list-ordered',
  'list-unordered',
  'list-tasks',
  'divider',
];

const IN_TABS = [
  'content-ref',
  'code',
  'embed',
  'file',
  'images',
  'drawing',
  'hint',
  'blockquote',
  'math',
  'integration',
];

const ALLOWED: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    hint: [],
    blockquote: ['blockquote'],
    'list-item': ['code', 'hint', 'blockquote', 'math', 'table'],
    'tabs-item': IN_TABS,
    'stepper-step': IN_TABS,
    column: [...IN_TABS, 'table'],
    'expandable-body': ['images', 'code', 'table', 'hint', 'blockquote', 'reusable-content'],
    'annotation-body': ['code'],
  }).map(([place, types]) => [place, new Set([...ESSENTIALS, ...types])]),
);

/** Containers that do not take every block. */
export const PLACES: readonly string[] = [...ALLOWED.keys()];

/** `place` is the type of the container, or the name of the fragment. */
export const allows = (place: string, type: string): boolean => ALLOWED.get(place)?.has(type) ?? true;
