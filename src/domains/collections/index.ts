export { MAX_DEPTH, tooDeep } from './create.ts';
export { positionAtEnd, positionsAtEnd, positionFor, type Pointers } from './order.ts';
export { collections, type CollectionRow } from './policy.ts';
export { presentCollection } from './present.ts';
export { Collection } from './schema.ts';
export { MAX_POSITION, shortenPositions } from './shorten-positions.ts';
export {
  deleteCollections,
  findCollections,
  getCollection,
  getPath,
  getPositionOfCollection,
  heightOf,
  levelColumns,
  listIdsInside,
  lockOrder,
  moveCollection,
  noLongerVisible,
  type Parent,
} from './store.ts';
