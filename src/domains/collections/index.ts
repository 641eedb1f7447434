export { MAX_DEPTH, tooDeep } from './create.ts';
export { endOf, endsOf, placeIn, type Pointers } from './order.ts';
export { collections, type CollectionRow } from './policy.ts';
export { presentCollection } from './present.ts';
export { Collection } from './schema.ts';
export {
  deleteCollections,
  findCollections,
  getCollection,
  getPath,
  getPlaceOfCollection,
  heightOf,
  levelColumns,
  listIdsInside,
  lockOrder,
  moveCollection,
  outOfSight,
  type Parent,
} from './store.ts';
