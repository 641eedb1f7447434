import { PLACES, type BlockDescription } from './block.ts';
import { code } from './code.ts';
import { containers } from './containers.ts';
import { images } from './images.ts';
import { lists } from './lists.ts';
import { references } from './references.ts';
import { tables } from './table.ts';
import { text } from './text.ts';

/** All blocks by their type. The types of blocks follow from it: ../nodes.ts. */
export const BLOCKS = {
  ...text,
  ...lists,
  ...code,
  ...containers,
  ...images,
  ...references,
  ...tables,
};

/** The same for any text: a member such as `toString` is no block. */
export const DESCRIPTIONS: ReadonlyMap<string, BlockDescription> = new Map(Object.entries(BLOCKS));

export const describe = (type: keyof typeof BLOCKS): BlockDescription =>
  DESCRIPTIONS.get(type) as BlockDescription;

/** Blocks that exist only inside of a certain container. */
export const PARTS: ReadonlySet<string> = new Set(
  Object.values(BLOCKS).flatMap(({ holds }): readonly string[] => (typeof holds === 'string' ? [] : holds)),
);

const PLACE_NAMES: ReadonlySet<string> = new Set(PLACES);

/** Whether the published schema allows a block in a place: the type of the container, or the name of the fragment. */
export const allows = (place: string, type: keyof typeof BLOCKS): boolean =>
  !PLACE_NAMES.has(place) || (describe(type).places?.some((one) => one === place) ?? false);
